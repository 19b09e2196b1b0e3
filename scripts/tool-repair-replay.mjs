// What repair would have made of recorded calls: node scripts/tool-repair-replay.mjs [PATH…] [options]. The same code as
// `pi-mend replay`, from the built package.

process.argv.splice(2, 0, "replay");
await import("../packages/coding-agent/dist/cli.js");
