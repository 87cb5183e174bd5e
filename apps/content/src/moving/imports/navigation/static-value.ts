import { parse, type Expression, type Program, type SpreadElement } from 'acorn';

/** Characters of a script that is read. */
const longest = 512 * 1024;
/** Values that stand within each other. */
const deepest = 60;
/** Values of a script, with those that a name stands for each time that it does. */
const mostValues = 100_000;

/**
 * The value that a script exports by default, as far as it is written out: literals, and names of constants of the file
 * that are. Nothing of it is run. `undefined` when it is computed, or cannot be read. `isTyped`: it is TypeScript.
 */
export function staticExport(script: string, isTyped: boolean): unknown {
  if (script.length > longest) return undefined;
  try {
    const text = isTyped ? withoutTypes(script) : script;
    const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true });
    const exported = exportedBy(program);
    if (exported === undefined) return undefined;
    return valueOf(exported, { constants: constantsOf(program), depth: 0, left: { values: mostValues } });
  } catch {
    return undefined;
  }
}

/** What settings have of types: imports of them, the type of a constant, `satisfies` and `as` behind a value. */
function withoutTypes(script: string): string {
  const type = String.raw`[A-Za-z_$][\w$.]*(?:<[^<>;=]{0,200}>)?(?:\[\])?`;
  return script
    .replace(/^\s*import\s+type\s[^;'"]*['"][^'"\n]*['"];?/gm, '')
    .replace(new RegExp(String.raw`\b((?:const|let|var)\s+[\w$]+)\s*:\s*${type}(?=\s*=)`, 'g'), '$1')
    .replace(new RegExp(String.raw`([\]}])\s*(?:satisfies\s+${type}|as\s+const|as\s+${type})`, 'g'), '$1');
}

type Statement = Program['body'][number];

function exportedBy({ body }: Program): Expression | undefined {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement;
      const isNone = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
      return isNone ? undefined : declaration;
    }
    const assigned = assignedExport(statement);
    if (assigned !== undefined) return assigned;
  }
  return undefined;
}

/** `module.exports = …` */
function assignedExport(statement: Statement): Expression | undefined {
  const expression = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  if (expression?.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return undefined;
  const { object, property } = expression.left;
  const isExports = object.type === 'Identifier' && object.name === 'module';
  return isExports && property.type === 'Identifier' && property.name === 'exports' ? expression.right : undefined;
}

function constantsOf({ body }: Program): Map<string, Expression> {
  const constants = new Map<string, Expression>();
  for (const statement of body) {
    const inside = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (inside?.type !== 'VariableDeclaration' || inside.kind !== 'const') continue;
    for (const { id, init } of inside.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init);
  }
  return constants;
}

interface Known {
  constants: ReadonlyMap<string, Expression>;
  depth: number;
  left: { values: number };
}

/** @throws Error for what is computed */
function valueOf(node: Expression, known: Known): unknown {
  if (known.depth > deepest || (known.left.values -= 1) < 0) throw new Error('It has too many values');
  const inside = { ...known, depth: known.depth + 1 };
  switch (node.type) {
    case 'Literal':
      if (node.regex === undefined && node.bigint === undefined) return node.value;
      break;
    case 'TemplateLiteral':
      if (node.expressions.length === 0) return node.quasis.map(({ value }) => value.cooked).join('');
      break;
    case 'ParenthesizedExpression':
      return valueOf(node.expression, inside);
    case 'UnaryExpression':
      return negated(node, inside);
    case 'Identifier':
      return constantOf(node.name, inside);
    case 'ArrayExpression':
      return node.elements.flatMap((element) => elementsOf(element, inside));
    case 'ObjectExpression':
      return objectOf(node, inside);
    default:
  }
  throw new Error('It is computed');
}

function constantOf(name: string, known: Known): unknown {
  const found = known.constants.get(name);
  if (found === undefined && name === 'undefined') return undefined;
  if (found === undefined) throw new Error('It is computed');
  return valueOf(found, known);
}

function negated({ operator, argument }: Extract<Expression, { type: 'UnaryExpression' }>, known: Known): unknown {
  const value = valueOf(argument, known);
  if (operator === '-' && typeof value === 'number') return -value;
  if (operator === '!') return !value;
  throw new Error('It is computed');
}

function elementsOf(element: Expression | SpreadElement | null, known: Known): unknown[] {
  if (element === null) return [];
  if (element.type !== 'SpreadElement') return [valueOf(element, known)];
  const value = valueOf(element.argument, known);
  if (Array.isArray(value)) return value;
  throw new Error('It is computed');
}

function objectOf({ properties }: Extract<Expression, { type: 'ObjectExpression' }>, known: Known): object {
  const entries = properties.flatMap((property): [string, unknown][] => {
    if (property.type === 'SpreadElement') return Object.entries(valueOf(property.argument, known) ?? {});
    const { key, value, kind, computed, method } = property;
    if (kind !== 'init' || method || computed) throw new Error('It is computed');
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    if (name === undefined) throw new Error('It is computed');
    return [[name, valueOf(value, known)]];
  });
  return Object.fromEntries(entries);
}
