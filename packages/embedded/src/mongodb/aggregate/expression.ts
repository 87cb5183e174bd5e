import {
  docElem,
  entries,
  findField,
  inspect,
  items,
  parsePath,
  T,
  textOf,
  toElem,
  Writer,
  type Elem,
  type Path,
} from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { checkFieldName, checkFieldPath } from './field-path.js';

/** What an expression is worth for a document; undefined when the field is missing. */
export type Expression = (doc: Buffer) => Elem | undefined;

/** Compiles field paths, literals, objects of expressions and `$literal`. Throws 168 for other operators. */
export function compile(v: Elem): Expression {
  if (v.t === T.string) return compileText(textOf(v), v);
  if (v.t === T.array) return arrayOf(items(v).map(compile));
  if (v.t !== T.object) return () => v;
  const all = entries(v);
  const [first] = all;
  if (first === undefined) return () => v;
  if (first[0].startsWith('$')) return operator(first[0], first[1], all.length, v);
  return objectOf(
    all.map(([name, item]) => {
      checkFieldName(name);
      return [name, compile(item)];
    }),
  );
}

function operator(name: string, operand: Elem, siblings: number, v: Elem): Expression {
  if (siblings > 1)
    throw new ServerError(15983, `an object representing an expression must have exactly one field: ${inspect(v)}`);
  if (name === '$literal') return () => operand;
  throw new ServerError(168, `Unrecognized expression '${name}'`);
}

function compileText(text: string, v: Elem): Expression {
  if (!text.startsWith('$')) return () => v;
  if (!text.startsWith('$$')) return fieldOf(text.slice(1));
  const [variable = '', ...rest] = text.slice(2).split('.');
  if (variable !== 'ROOT' && variable !== 'CURRENT')
    throw new ServerError(17276, `Use of undefined variable: ${variable}`);
  return rest.length === 0 ? docElem : fieldOf(rest.join('.'));
}

function fieldOf(text: string): Expression {
  checkFieldPath(text);
  const path = parsePath(text);
  return (doc) => reach(docElem(doc), path, 0);
}

/** Expressions see through arrays: the values inside become an array again; positions do not count. */
function reach(v: Elem, path: Path, from: number): Elem | undefined {
  const part = path.parts[from];
  if (part === undefined) return v;
  if (v.t === T.object) {
    const next = findField(v.b, v.s, part.bytes);
    return next === undefined ? undefined : reach(next, path, from + 1);
  }
  if (v.t !== T.array) return undefined;
  return toElem(items(v).flatMap((item) => reach(item, path, from) ?? []));
}

const arrayOf =
  (list: readonly Expression[]): Expression =>
  (doc) =>
    toElem(list.map((x) => x(doc) ?? null));

function objectOf(fields: readonly (readonly [string, Expression])[]): Expression {
  return (doc) => {
    const w = new Writer(128);
    const at = w.open();
    for (const [name, x] of fields) {
      const v = x(doc);
      if (v !== undefined) w.elem(name, v);
    }
    w.close(at);
    return { t: T.object, b: w.b, s: 0, e: w.n };
  };
}
