// One line for all packages' test runs: `N passed, N failed` (and `, N skipped`), from the reports vitest leaves in
// packages/*/test-results.json. Runs after the tests. It never runs a test, and never calls a missing report a success.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");

const problems = [];
const total = { passed: 0, failed: 0, skipped: 0 };

for (const name of readdirSync(PACKAGES).sort()) {
  if (!existsSync(join(PACKAGES, name, "package.json"))) continue;
  const path = join(PACKAGES, name, "test-results.json");
  if (!existsSync(path)) {
    problems.push(`packages/${name}/test-results.json is missing: its tests did not run to the end`);
    continue;
  }
  let report;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    problems.push(`packages/${name}/test-results.json cannot be read: ${error.message}`);
    continue;
  }
  const passed = report.numPassedTests ?? 0;
  const failed = report.numFailedTests ?? 0;
  total.passed += passed;
  total.failed += failed;
  total.skipped += (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
  if (passed + failed === 0) problems.push(`packages/${name}: no test ran`);
  // A file that cannot be loaded has no tests to fail: only the run's verdict tells.
  else if (report.success === false && failed === 0) problems.push(`packages/${name}: a test file or hook failed`);
}

if (total.passed + total.failed === 0) problems.push("no test ran at all");

for (const problem of problems) console.error(problem);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
if (problems.length > 0 || total.failed > 0) process.exitCode = 1;
