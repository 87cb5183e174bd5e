import { docElem, entries, findField, numberOf, parsePath, textOf, truthy } from '../bson/index.js';
import { parseFilter } from '../filter/parse.js';
import type { IndexSpec } from './model.js';

const field = (spec: Buffer, name: string): ReturnType<typeof findField> => findField(spec, 0, Buffer.from(name));

/** Reads an index specification that `normalizeSpec` has accepted. */
export function readSpec(spec: Buffer): IndexSpec {
  const key = field(spec, 'key') ?? docElem(spec);
  const name = field(spec, 'name');
  const partial = field(spec, 'partialFilterExpression');
  const fields = entries(key).map(([path, v]) => ({ path: parsePath(path), descending: (numberOf(v) ?? 1) < 0 }));
  return {
    name: name === undefined ? '' : textOf(name),
    fields,
    descending: fields.map((f) => f.descending),
    unique: truthy(field(spec, 'unique')),
    sparse: truthy(field(spec, 'sparse')),
    hidden: truthy(field(spec, 'hidden')),
    partial: partial === undefined ? undefined : parseFilter(partial),
    spec,
  };
}
