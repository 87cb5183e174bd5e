import * as z from 'zod';

type Json = Record<string, unknown>;

/** Converts query parameters to the types of an operation's query schema; the schema validates them after that. */
export type ReadQuery = (given: URLSearchParams) => Record<string, unknown>;

/** How the text of one parameter becomes a value. */
interface Reader {
  number: boolean;
  boolean: boolean;
  /** Set for arrays: how each item is read. */
  items: Reader | undefined;
}

/**
 * Compiles the conversion of a query from its JSON Schema: numbers and booleans where the schema has them, arrays from
 * a repeated key or a list with commas. Text that cannot be converted stays as it is, and validation refuses it.
 * @throws for a schema with objects, which a query string cannot express
 */
export function compileQuery(schema: z.ZodObject): ReadQuery {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json & {
    properties?: Record<string, Json>;
  };
  const readers = Object.entries(root.properties ?? {}).map(
    ([name, node]) => [name, readerOf(node, root, name)] as const,
  );
  return (given) => {
    const values: Record<string, unknown> = {};
    for (const [name, reader] of readers) {
      const texts = given.getAll(name);
      if (texts.length > 0) values[name] = readAll(texts, reader);
    }
    return values;
  };
}

const none = new URLSearchParams();

/** The query parameters of a request target; read only. */
export function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return start < 0 ? none : new URLSearchParams(url.slice(start + 1));
}

function readAll(texts: readonly string[], reader: Reader): unknown {
  const { items } = reader;
  if (items !== undefined) return texts.flatMap((text) => text.split(',')).map((text) => readOne(text, items));
  // Two values of a parameter that takes one: an array, which the schema refuses.
  return texts.length === 1 ? readOne(texts[0] ?? '', reader) : texts;
}

const decimal = /^-?\d+(\.\d+)?$/;

function readOne(text: string, reader: Reader): unknown {
  if (reader.number && text.length < 20 && decimal.test(text)) return Number(text);
  if (reader.boolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function readerOf(node: Json, root: Json, name: string): Reader {
  const branches = alternatives(node, root);
  if (branches.some((branch) => branch['type'] === 'object')) throw new Error(`Query parameter ${name} is an object`);
  const list = branches.find((branch) => branch['type'] === 'array');
  return {
    number: branches.some((branch) => branch['type'] === 'integer' || branch['type'] === 'number'),
    boolean: branches.some((branch) => branch['type'] === 'boolean'),
    items: list === undefined ? undefined : readerOf((list['items'] ?? {}) as Json, root, name),
  };
}

/** The branches of a schema, with references followed and unions flattened. */
function alternatives(node: Json, root: Json): Json[] {
  const reference = node['$ref'];
  if (typeof reference === 'string') {
    const target = (root['$defs'] as Record<string, Json> | undefined)?.[reference.replace('#/$defs/', '')];
    return target === undefined ? [] : alternatives(target, root);
  }
  const union = (node['anyOf'] ?? node['oneOf']) as Json[] | undefined;
  return union === undefined ? [node] : union.flatMap((branch) => alternatives(branch, root));
}
