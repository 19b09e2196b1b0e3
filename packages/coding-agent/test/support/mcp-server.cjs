// A server of the Model Context Protocol on stdin and stdout, for a pi that tests start: one tool, `dig`, which takes an
// integer and answers with it. Ends with its stdin.
const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const inputSchema = { type: "object", properties: { deep: { type: "integer" } }, required: ["deep"] };

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      const serverInfo = { name: "drift", version: "1" };
      answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    } else if (method === "tools/list") answer(id, { tools: [{ name: "dig", description: "digs", inputSchema }] });
    else if (method === "tools/call") {
      answer(id, { content: [{ type: "text", text: `dug ${JSON.stringify(params.arguments.deep)}` }] });
    } else if (id !== undefined) answer(id, {});
  });
