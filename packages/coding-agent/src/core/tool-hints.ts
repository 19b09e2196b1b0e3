// What pi's seven built-in tools know about their arguments beyond their schemas. Data for the repair layer; it runs
// nothing. Spellings are those of Claude Code, aider, Cline, OpenCode, Gemini CLI, Codex, Cursor, Windsurf and of two
// repair packages for pi (pi-tool-repair 0.1.8, pi-repair-layer 0.4.3).

import type { ToolHints } from "@pi-mend/ai/tool-repair";

const FILE_PATH = [
  "file_path",
  "filePath",
  "filepath",
  "file",
  "filename",
  "fileName",
  "file_name",
  "absolute_path",
  "absolutePath",
  "fileAbsolutePath",
  "pathname",
  "target_file",
  "targetFile",
  "target",
  "uri",
  "AbsolutePath",
  "TargetFile",
];

const FOLDER_PATH = [
  "directory",
  "dir",
  "folder",
  "directory_path",
  "directoryPath",
  "dir_path",
  "dirPath",
  "folder_path",
  "folderPath",
  "target_directory",
  "targetDirectory",
  "absolute_path",
  "absolutePath",
  "cwd",
  "dirname",
  "DirectoryPath",
  "SearchDirectory",
  "SearchPath",
  "relative_workspace_path",
];

/** Where a search or listing looks: a folder's names, and a file's where the path may be either. */
const PLACE_PATH = [...new Set([...FOLDER_PATH, ...FILE_PATH])];

/** Families whose values carry regex anchors copied from schemas (kimi-k2, MiniMax and GLM in field reports). */
const ANCHOR_BLEED = ["kimi-k2", "kimi_k2", "minimax", "glm"];
const MODEL_GATES = { anchorBleed: ANCHOR_BLEED, argKeyDebris: ["glm"] };

/** Hints by tool name, for pi's own tools only: a tool that replaced one of them brings its own. */
export const builtinToolHints: Readonly<Record<string, ToolHints>> = {
  read: {
    aliases: {
      path: FILE_PATH,
      offset: ["start_line", "startLine", "line_start", "from_line", "start"],
      limit: ["max_lines", "maxLines", "line_count", "lineCount", "num_lines", "numLines"],
    },
    rootField: "path",
    pathFields: ["path"],
    modelGates: MODEL_GATES,
  },
  write: {
    aliases: {
      path: FILE_PATH,
      content: [
        "contents",
        "text",
        "body",
        "data",
        "file_content",
        "fileContent",
        "file_text",
        "fileText",
        "new_content",
        "newContent",
        "file_contents",
        "code",
        "CodeContent",
      ],
    },
    pathFields: ["path"],
    modelGates: MODEL_GATES,
  },
  edit: {
    aliases: {
      path: FILE_PATH,
      edits: ["changes", "replacements", "modifications", "operations", "edit"],
      "edits[].oldText": [
        "old_text",
        "old_string",
        "oldString",
        "old_str",
        "oldStr",
        "old",
        "oldValue",
        "old_value",
        "oldContent",
        "old_content",
        "from",
        "search",
        "find",
        "original",
      ],
      "edits[].newText": [
        "new_text",
        "new_string",
        "newString",
        "new_str",
        "newStr",
        "new",
        "newValue",
        "new_value",
        "newContent",
        "new_content",
        "to",
        "replace",
        "replacement",
        "updated",
      ],
    },
    fold: { into: "edits", fields: ["oldText", "newText"] },
    pathFields: ["path"],
    closed: ["edits[]"],
    modelGates: MODEL_GATES,
  },
  bash: {
    aliases: {
      command: [
        "cmd",
        "shell",
        "script",
        "commandLine",
        "command_line",
        "bash_command",
        "bashCommand",
        "shell_command",
        "code",
      ],
      timeout: ["timeout_seconds", "timeoutSeconds", "timeout_sec"],
    },
    rootField: "command",
    shellFields: ["command"],
    modelGates: { argKeyDebris: ["glm"] },
  },
  grep: {
    aliases: {
      pattern: ["query", "regex", "search", "q", "expression", "text", "search_pattern", "searchPattern"],
      path: PLACE_PATH,
      literal: ["fixed_strings", "fixedStrings"],
      context: ["context_lines", "contextLines", "-C"],
      glob: ["include", "file_glob", "fileGlob", "file_pattern", "filePattern", "include_pattern", "includePattern"],
      ignoreCase: ["ignore_case", "case_insensitive", "caseInsensitive", "-i"],
      limit: ["max_results", "maxResults", "head_limit", "headLimit", "max_count"],
    },
    rootField: "pattern",
    pathFields: ["path"],
    modelGates: MODEL_GATES,
  },
  find: {
    aliases: {
      pattern: [
        "query",
        "glob",
        "search",
        "expression",
        "include",
        "name",
        "name_pattern",
        "namePattern",
        "file_pattern",
        "filePattern",
        "glob_pattern",
        "globPattern",
      ],
      path: PLACE_PATH,
      limit: ["max_results", "maxResults"],
    },
    rootField: "pattern",
    pathFields: ["path"],
    modelGates: MODEL_GATES,
  },
  ls: {
    aliases: { path: PLACE_PATH, limit: ["max_results", "maxResults"] },
    rootField: "path",
    pathFields: ["path"],
    modelGates: MODEL_GATES,
  },
};
