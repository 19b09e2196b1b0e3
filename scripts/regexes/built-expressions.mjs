// The regular expressions that a module makes at run time: `new RegExp(…)`, `RegExp(…)`, and texts given to `match`,
// `matchAll` and `search`. A pattern of constants of the same module is worked out; for every other one only the place is
// known. Runs in `check-regexes.mjs`; never runs the module.

const MAKERS = new Set(["match", "matchAll", "search"]);

/**
 * @param program the module's syntax tree
 * @param text its source
 * @returns every expression as `{pattern, flags}` where both are constant, else as `{source}`: the call as it is written
 */
export function builtExpressions(program, text) {
  const constants = constantsOf(program);
  const found = [];
  visit(program, (node) => {
    const pattern = patternOf(node);
    if (pattern === undefined) return;
    const [value, flags] = [constantText(pattern, constants), isRegExp(node) ? flagsOf(node, constants) : ""];
    if (typeof value === "string" && typeof flags === "string") found.push({ pattern: value, flags });
    else found.push({ source: text.slice(node.start, node.end) });
  });
  return found;
}

const isRegExp = ({ type, callee }) =>
  (type === "NewExpression" || type === "CallExpression") && /^(?:globalThis\.)?RegExp$/.test(nameOf(callee));

function nameOf(node) {
  if (node?.type === "Identifier") return node.name;
  if (node?.type !== "MemberExpression" || node.computed) return "";
  return `${nameOf(node.object)}.${node.property.name}`;
}

/** The node of the pattern where `node` makes an expression; undefined where it makes none. */
function patternOf(node) {
  if (isRegExp(node)) return node.arguments[0] ?? { type: "Literal", value: "(?:)" };
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const [first] = node.arguments;
  const isText = first?.type === "TemplateLiteral" || (first?.type === "Literal" && typeof first.value === "string");
  return MAKERS.has(node.callee.property.name) && isText ? first : undefined;
}

function flagsOf(node, constants) {
  return node.arguments[1] === undefined ? "" : constantText(node.arguments[1], constants);
}

/** Module constants by name: `const NAME = …` outside of functions. */
function constantsOf(program) {
  const constants = new Map();
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === "Identifier" && init) constants.set(id.name, init);
  }
  return constants;
}

/** The text that `node` stands for; undefined where it is not constant. */
function constantText(node, constants) {
  switch (node.type) {
    case "Literal":
      if (node.regex) return node.regex.pattern;
      return typeof node.value === "string" ? node.value : undefined;
    case "TemplateLiteral":
      return joined(node, (quasi) => quasi.value.cooked, constants);
    case "TaggedTemplateExpression":
      return nameOf(node.tag) === "String.raw" ? joined(node.quasi, (quasi) => quasi.value.raw, constants) : undefined;
    case "BinaryExpression": {
      const [left, right] = [constantText(node.left, constants), constantText(node.right, constants)];
      return node.operator === "+" && left !== undefined && right !== undefined ? left + right : undefined;
    }
    case "MemberExpression":
      return node.property.name === "source" ? constantText(node.object, constants) : undefined;
    case "Identifier":
      return constants.has(node.name) ? constantText(constants.get(node.name), constants) : undefined;
    default:
      return undefined;
  }
}

function joined({ quasis, expressions }, textOf, constants) {
  const values = expressions.map((one) => constantText(one, constants));
  if (values.includes(undefined)) return undefined;
  return quasis.map((quasi, at) => textOf(quasi) + (values[at] ?? "")).join("");
}

function visit(node, see) {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, see);
    return;
  }
  if (typeof node.type === "string") see(node);
  for (const key in node) visit(node[key], see);
}
