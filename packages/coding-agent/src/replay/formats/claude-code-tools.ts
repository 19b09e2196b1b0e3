// The tools of Claude Code that its session files call most, as its documentation describes their inputs. Data.
import type { RepairTool } from "@pi-mend/ai/tool-repair";
import type { Toolset } from "../turn.ts";

const TEXT = { type: "string" };
const NUMBER = { type: "number" };
const FLAG = { type: "boolean" };
const pair = { old_string: TEXT, new_string: TEXT, replace_all: FLAG };

type Fields = Record<string, object>;
const row = (required: string, properties: Fields): object => ({
  ...{ type: "object", properties, required: required.split(" ").filter(Boolean) },
  additionalProperties: false,
});
const list = (items: object): object => ({ type: "array", items });
const oneOf = (...members: readonly string[]): object => ({ type: "string", enum: members });
const todo = { content: TEXT, status: oneOf("pending", "in_progress", "completed"), activeForm: TEXT };

const SCHEMAS: Readonly<Record<string, object>> = {
  Read: row("file_path", { file_path: TEXT, offset: NUMBER, limit: NUMBER, pages: TEXT }),
  Write: row("file_path content", { file_path: TEXT, content: TEXT }),
  Edit: row("file_path old_string new_string", { file_path: TEXT, ...pair }),
  MultiEdit: row("file_path edits", { file_path: TEXT, edits: list(row("old_string new_string", pair)) }),
  Bash: row("command", {
    ...{ command: TEXT, timeout: NUMBER, description: TEXT, run_in_background: FLAG },
    dangerouslyDisableSandbox: FLAG,
  }),
  Grep: row("pattern", {
    ...{ pattern: TEXT, path: TEXT, glob: TEXT, type: TEXT, multiline: FLAG, head_limit: NUMBER, offset: NUMBER },
    ...{ output_mode: oneOf("content", "files_with_matches", "count"), "-A": NUMBER, "-B": NUMBER, "-C": NUMBER },
    ...{ "-n": FLAG, "-i": FLAG },
  }),
  Glob: row("pattern", { pattern: TEXT, path: TEXT }),
  LS: row("path", { path: TEXT, ignore: list(TEXT) }),
  TodoWrite: row("todos", { todos: list({ type: "object", properties: todo, required: ["content", "status"] }) }),
  WebFetch: row("url prompt", { url: TEXT, prompt: TEXT }),
  WebSearch: row("query", { query: TEXT, allowed_domains: list(TEXT), blocked_domains: list(TEXT) }),
};

const TOOLS = Object.entries(SCHEMAS).map(([name, parameters]): [string, RepairTool] => [name, { name, parameters }]);

/** Tools of other names, and of MCP servers, are not known. */
export const CLAUDE_CODE_TOOLS: Toolset = { lookup: new Map(TOOLS), isDeclared: false, others: [] };
