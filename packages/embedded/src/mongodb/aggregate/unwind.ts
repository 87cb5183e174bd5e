import {
  docElem,
  entries,
  items,
  parsePath,
  T,
  textOf,
  toElem,
  truthy,
  typeName,
  valueAt,
  type Elem,
} from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { modify, openDocument, serialize } from '../update/tree.js';
import { checkFieldPath } from './field-path.js';
import type { Stage } from './group.js';

/** What an `$unwind` asks for. */
interface Unwind {
  /** The path of the array, without its `$`. */
  readonly path: string;
  readonly keep: boolean;
  readonly indexField: string | undefined;
}

/** Parses `$unwind`: a path, or a path with options. */
export function unwindStage(v: Elem): Stage {
  const { path: text, keep, indexField } = optionsOf(v);
  const path = parsePath(text);
  const parts = path.parts.map((p) => p.name);
  const replaced = (doc: Buffer, item: Elem | undefined, index: bigint | null): Buffer => {
    const root = openDocument(docElem(doc));
    modify(root, { parts, create: false }, () => item ?? 'remove');
    if (indexField !== undefined) modify(root, { parts: indexField.split('.'), create: true }, () => toElem(index));
    return serialize(root);
  };
  return function* run(docs) {
    for (const doc of docs) {
      const at = doc === undefined ? undefined : valueAt(doc, 0, path);
      if (doc === undefined) yield undefined;
      else if (at?.t === T.array) {
        const list = items(at);
        if (list.length === 0 && keep) yield replaced(doc, undefined, null);
        for (const [i, item] of list.entries()) yield replaced(doc, item, BigInt(i));
      } else if (at !== undefined && at.t !== T.null && at.t !== T.undefined)
        yield indexField === undefined ? doc : replaced(doc, at, null);
      else if (keep) yield indexField === undefined ? doc : replaced(doc, at, null);
    }
  };
}

function optionsOf(v: Elem): Unwind {
  if (v.t === T.string) return { path: pathOf(v), keep: false, indexField: undefined };
  if (v.t !== T.object)
    throw new ServerError(
      15981,
      `expected either a string or an object as specification for $unwind stage, got ${typeName(v.t)}`,
    );
  let path: Elem | undefined;
  let keep = false;
  let indexField: string | undefined;
  for (const [name, option] of entries(v)) {
    if (name === 'path') path = option;
    else if (name === 'preserveNullAndEmptyArrays') keep = keeps(option);
    else if (name === 'includeArrayIndex') indexField = indexName(option);
    else throw new ServerError(28811, `unrecognized option to $unwind stage: ${name}`);
  }
  return { path: pathOf(path), keep, indexField };
}

function pathOf(v: Elem | undefined): string {
  if (v === undefined) throw new ServerError(28812, 'no path specified to $unwind stage');
  if (v.t !== T.string)
    throw new ServerError(28808, `expected a string as the path for $unwind stage, got ${typeName(v.t)}`);
  const path = textOf(v);
  if (path === '') throw new ServerError(28812, 'no path specified to $unwind stage');
  if (!path.startsWith('$'))
    throw new ServerError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  checkFieldPath(path.slice(1));
  return path.slice(1);
}

function keeps(v: Elem): boolean {
  if (v.t === T.bool) return truthy(v);
  throw new ServerError(
    28809,
    `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeName(v.t)}`,
  );
}

function indexName(v: Elem): string {
  const name = v.t === T.string ? textOf(v) : '';
  if (name === '')
    throw new ServerError(
      28810,
      `expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ${typeName(v.t)}`,
    );
  if (name.startsWith('$'))
    throw new ServerError(
      28822,
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${name}`,
    );
  checkFieldPath(name);
  return name;
}
