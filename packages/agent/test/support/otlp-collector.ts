// A collector's OTLP receiver on the loopback: keeps what exporters send it as JSON, and reads it back by key and counter.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface OtlpAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly arrayValue?: { readonly values?: readonly { readonly stringValue: string }[] };
  };
}

export interface ExportedSpan {
  readonly events: readonly { readonly name: string; readonly attributes: readonly OtlpAttribute[] }[];
}

interface ExportedMetric {
  readonly name: string;
  readonly sum: {
    readonly dataPoints: readonly { readonly attributes: readonly OtlpAttribute[]; asDouble?: number }[];
  };
}

export interface OtlpCollector {
  /** Base URL, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Every object with this key, anywhere in the bodies that came in under a path. */
  under(path: string, key: string): Record<string, unknown>[];
  /** The values of a counter by one of its attributes. */
  counted(counter: string, attribute: string): unknown[];
  /** All that came in. */
  text(): string;
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies = new Map<string, unknown[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      bodies.set(path, [...(bodies.get(path) ?? []), JSON.parse(Buffer.concat(chunks).toString("utf8"))]);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const under = (path: string, key: string) => objectsWith(bodies.get(path), key);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    under,
    counted: (counter, attribute) => {
      const metrics = under("/v1/metrics", "sum") as unknown as ExportedMetric[];
      const points = metrics.filter(({ name }) => name === counter).flatMap(({ sum }) => sum.dataPoints);
      return points.map(({ attributes, asDouble }) => [plain(attributes)[attribute], asDouble]).sort();
    },
    text: () => JSON.stringify([...bodies.values()]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function plain(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.arrayValue?.values?.map((item) => item.stringValue) ?? [],
    ]),
  );
}

function objectsWith(value: unknown, key: string): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap((item) => objectsWith(item, key));
  return key in value ? [value as Record<string, unknown>, ...inside] : inside;
}
