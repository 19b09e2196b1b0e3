// Tool names as models spell them, against sets of active tools: which one runs, and what bounces.
import { describe, expect, it } from "vitest";
import { resolveToolName } from "../src/utils/tool-repair/resolve-tool-name.ts";

const BUILTIN = ["read", "bash", "edit", "write", "grep", "find", "ls"];
const MIXED = [...BUILTIN, "mcp__tracker__list_tickets", "mcp__notes__read", "web-search", "sendMail"];

function outcome(sent: unknown, active: readonly string[]): string {
  const result = resolveToolName(sent, new Set(active));
  return result.outcome === "bounced" ? "bounced" : `${result.outcome}:${result.name}`;
}

describe("resolveToolName", () => {
  it.each([
    ["exact", "read", BUILTIN, "clean:read"],
    ["exact beats everything else", "Read", ["read", "Read"], "clean:Read"],
    ["white space", " read\n", BUILTIN, "repaired:read"],
    ["backticks", "`bash`", BUILTIN, "repaired:bash"],
    ["curly quotes", "“grep”", BUILTIN, "repaired:grep"],
    ["case", "Write", BUILTIN, "repaired:write"],
    ["trimmed exact beats case folding", " read", ["read", "READ"], "repaired:read"],
    ["separators", "web_search", MIXED, "repaired:web-search"],
    ["camel case", "send_mail", MIXED, "repaired:sendMail"],
    ["namespace with dot", "functions.read", BUILTIN, "repaired:read"],
    ["namespace with colon", "default_api:bash", BUILTIN, "repaired:bash"],
    ["namespace twice", "tools.functions.ls", BUILTIN, "repaired:ls"],
    ["namespace and case", "functions.Read", BUILTIN, "repaired:read"],
    ["namespace and call index", "functions.find:12", BUILTIN, "repaired:find"],
    ["control token", "read<|channel|>commentary", BUILTIN, "repaired:read"],
    ["wide control token", "bash<｜tool▁sep｜>x", BUILTIN, "repaired:bash"],
    ["close tags", "edit</arg_value></tool_call>\n", BUILTIN, "repaired:edit"],
    ["a harmony recipient", "to=functions.read", BUILTIN, "repaired:read"],
    [
      "a harmony header",
      "assistant<|channel|>commentary to=functions.bash <|constrain|>json",
      BUILTIN,
      "repaired:bash",
    ],
    ["a recipient without a namespace", "commentary to=ls", BUILTIN, "repaired:ls"],
    ["opening tags before the name", "<tool_call>\n<name>read", BUILTIN, "repaired:read"],
    ["tags around the name", "<tool_name>grep</tool_name>", BUILTIN, "repaired:grep"],
    ["a tag that holds the name", "<function=edit>", BUILTIN, "repaired:edit"],
    ["a tag that has the name as attribute", '<invoke name="find">', BUILTIN, "repaired:find"],
    ["the attribute alone", "name='write'", BUILTIN, "repaired:write"],
    ["the end of a tag", "ls>", BUILTIN, "repaired:ls"],
    ["an empty pair of brackets", "ls()", BUILTIN, "repaired:ls"],
    ["a comma", '"ls",', BUILTIN, "repaired:ls"],
    ["characters that nobody sees", "\u200bread\u0000", BUILTIN, "repaired:read"],
    ["server prefix left out", "list_tickets", MIXED, "repaired:mcp__tracker__list_tickets"],
    ["server prefix left out, other case", "listTickets", MIXED, "repaired:mcp__tracker__list_tickets"],
    ["half the prefix left out", "tracker.list_tickets", MIXED, "repaired:mcp__tracker__list_tickets"],
    ["case folding beats a suffix of another tool", "READ", MIXED, "repaired:read"],
    ["tool that is called like a namespace", "tools", ["tools", "read"], "clean:tools"],
    ["own tool behind a dotted name", "Tools.Read", ["tools.read", "write"], "repaired:tools.read"],
  ])("%s", (_kind, sent, active, expected) => {
    expect(outcome(sent, active)).toBe(expected);
  });

  it.each([
    ["another product's name", "Glob", BUILTIN],
    ["a typo", "raed", BUILTIN],
    ["a longer word", "read_file", BUILTIN],
    ["a prefix of a tool", "rea", BUILTIN],
    ["an unknown server prefix before a known tool", "database.find", BUILTIN],
    ["two tools under folding", "READ_ALL", ["read_all", "readAll"]],
    ["two tools by suffix", "list", ["mcp__a__list", "mcp__b__list"]],
    ["stripped and folded name are different tools", "tools.read", ["read", "tools_read"]],
    ["an opening tag, whose arguments would be lost", "ls<arg_key>path", BUILTIN],
    ["text after a close tag", "ls</arg_value>rm", BUILTIN],
    ["two recipients", "to=functions.read to=functions.ls", BUILTIN],
    ["a recipient that is no tool", "to=functions.browse", BUILTIN],
    ["brackets that hold something", "ls(path)", BUILTIN],
    ["a tag with an attribute beside the name", '<invoke name="ls" path="/x">', BUILTIN],
    ["a tag that is called like a tool", "<read>", BUILTIN],
    ["an equals sign behind a name", "ls=x", BUILTIN],
    ["only separators", "._-", BUILTIN],
    ["only a namespace", "functions.", BUILTIN],
    ["a control token alone", "<|call|>", BUILTIN],
    ["an object member", "constructor", BUILTIN],
    ["no tool active", "read", []],
    ["empty", "", BUILTIN],
    ["blank", "  ", BUILTIN],
    ["not a string", undefined, BUILTIN],
  ])("bounces: %s", (_kind, sent, active) => {
    expect(outcome(sent, active)).toBe("bounced");
  });

  it("names the valid tools in a bounce", () => {
    const result = resolveToolName("Glob", new Set(BUILTIN));
    expect(result).toEqual({
      outcome: "bounced",
      message: 'Tool "Glob" not found. Valid tool names: read, bash, edit, write, grep, find, ls.',
    });
  });

  it("says that the name is missing", () => {
    const result = resolveToolName("", new Map([["read", 1]]));
    expect(result).toEqual({ outcome: "bounced", message: "Tool name missing. Valid tool names: read." });
  });

  it("lists only the tools that fit when several do", () => {
    const result = resolveToolName("list", new Set(["mcp__a__list", "mcp__b__list", "read"]));
    expect(result.outcome === "bounced" && result.message).toBe(
      'Tool "list" could mean several tools, send one of: mcp__a__list, mcp__b__list.',
    );
  });

  it("keeps the message bounded for many tools and a huge name", () => {
    const names = Array.from({ length: 500 }, (_, index) => `mcp__server__tool_number_${index}`);
    const result = resolveToolName(`\u0000\n${"x".repeat(100_000)}`, new Set(names));
    if (result.outcome !== "bounced") throw new Error("must bounce");
    expect(result.message.length).toBeLessThanOrEqual(600);
    expect(result.message).toMatch(/ and \d+ more$/);
  });
});
