// A package registry on the loopback that has one package: pi-mend, as `npm pack` makes it of this folder.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ROOT } from "./pages.ts";
import { runShell } from "./run-shell.ts";

export interface LocalRegistry {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** @param folder where the tarball goes */
export async function startLocalRegistry(folder: string): Promise<LocalRegistry> {
  const packed = await runShell(`npm pack ${JSON.stringify(join(ROOT, "packages/coding-agent"))} --silent`, folder, {
    ...{ PATH: process.env["PATH"] ?? "", HOME: folder, npm_config_cache: join(folder, "cache") },
  });
  const tarball = readFileSync(join(folder, packed.out.trim()));
  const manifest = JSON.parse(readFileSync(join(ROOT, "packages/coding-agent/package.json"), "utf8"));
  const { name, version } = manifest;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    asked.push(path);
    if (path === "/tarball.tgz") return void response.end(tarball);
    if (path !== `/${name}`) return void response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `${urlOf(server)}/tarball.tgz`, integrity };
    const versions = { [version]: { ...manifest, dist } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: urlOf(server),
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function urlOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
