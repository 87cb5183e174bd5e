import { bytesOf, entries, inspect, T, textOf, typeName, type Elem } from '../bson/index.js';
import { failedToParse, ServerError } from '../bson/errors.js';
import { parseFilter } from '../filter/parse.js';
import type { Node } from '../filter/node.js';
import type { Mod } from './model.js';
import { checkOperand } from './operators.js';

/** A parsed update: a whole new document, or changes in the order in which they are applied. */
export type Update =
  | { readonly k: 'replace'; readonly doc: Buffer }
  | { readonly k: 'modify'; readonly mods: readonly Mod[]; readonly filters: ReadonlyMap<string, Node> };

const OPERATORS = [
  '$set',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$rename',
  '$setOnInsert',
  '$currentDate',
  '$push',
  '$pull',
  '$pullAll',
  '$pop',
  '$addToSet',
  '$bit',
];

/** Parses the `u` of an update. Throws FailedToParse, ConflictingUpdateOperators and their like. */
export function parseUpdate(u: Elem, arrayFilters: readonly Elem[] = []): Update {
  if (u.t === T.array) throw new ServerError(238, 'pipeline-style updates are not supported by this server');
  if (u.t !== T.object) throw failedToParse('Update argument must be either an object or an array');
  const all = entries(u);
  if (all[0]?.[0].startsWith('$') !== true) {
    const stray = all.find(([name]) => name.startsWith('$'));
    if (stray !== undefined)
      throw new ServerError(
        52,
        `The dollar ($) prefixed field '${stray[0]}' in '${stray[0]}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    if (arrayFilters.length > 0) throw failedToParse('arrayFilters may not be specified for replacement-style updates');
    return { k: 'replace', doc: bytesOf(u) };
  }
  const mods = all.flatMap(([op, v]) => modsOf(op, v));
  const filters = filtersOf(arrayFilters);
  checkConflicts(mods);
  checkIdentifiers(mods, filters);
  mods.forEach(checkOperand);
  return { k: 'modify', mods: mods.sort(byPath), filters };
}

function modsOf(op: string, v: Elem): Mod[] {
  if (!OPERATORS.includes(op))
    throw failedToParse(
      `Unknown modifier: ${op}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  if (v.t !== T.object)
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(v.t)} instead. For example: {$mod: {<field>: ...}} not {${op}: ${inspect(v)}}`,
    );
  return entries(v).flatMap(([path, operand]) => {
    if (op !== '$rename') return [{ op, path, parts: partsOf(path), operand }];
    return renameMods(path, operand);
  });
}

/** `$rename` touches two paths: the source is dropped, the target is set. */
function renameMods(path: string, operand: Elem): Mod[] {
  if (operand.t !== T.string)
    throw new ServerError(2, `The 'to' field for $rename must be a string: ${path}: ${inspect(operand)}`);
  const to = textOf(operand);
  if (to === path) throw new ServerError(2, `The source and target field for $rename must differ: ${path}: "${to}"`);
  if (`${to}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${to}.`))
    throw new ServerError(2, `The source and target field for $rename must not be on the same path: ${path}: "${to}"`);
  return [
    {
      op: '$rename',
      path: to,
      parts: partsOf(to),
      operand: { t: T.string, b: textBytes(path), s: 0, e: Buffer.byteLength(path) + 5 },
    },
    { op: '$renameFrom', path, parts: partsOf(path), operand },
  ];
}

function textBytes(text: string): Buffer {
  const b = Buffer.alloc(Buffer.byteLength(text) + 5);
  b.writeInt32LE(b.length - 4);
  b.write(text, 4);
  return b;
}

function partsOf(path: string): string[] {
  if (path === '') throw new ServerError(56, 'An empty update path is not valid.');
  if (!/[.$]/.test(path)) return [path];
  const parts = path.split('.');
  if (parts.includes(''))
    throw new ServerError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  const dollar = parts.find(
    (p) => p.startsWith('$') && p !== '$' && !/^\$\[.*\]$/.test(p) && !/^\$(id|ref|db)$/.test(p),
  );
  if (dollar !== undefined)
    throw new ServerError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  if (parts[0]?.startsWith('$') === true)
    throw failedToParse(
      `Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`,
    );
  return parts;
}

/** Paths in name order, array positions by number: the order in which the server adds new fields. */
function byPath(a: Mod, b: Mod): number {
  for (let i = 0; i < Math.min(a.parts.length, b.parts.length); i += 1) {
    const x = a.parts[i] as string;
    const y = b.parts[i] as string;
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.parts.length - b.parts.length;
}

function checkConflicts(mods: readonly Mod[]): void {
  if (mods.every((m) => m.parts.length === 1) && new Set(mods.map((m) => m.path)).size === mods.length) return;
  const seen = new Map<string, boolean>();
  for (const { path, parts } of mods) {
    for (let i = 1; i <= parts.length; i += 1) {
      const prefix = parts.slice(0, i).join('.');
      const whole = seen.get(prefix);
      if (whole === true || (whole !== undefined && i === parts.length))
        throw new ServerError(40, `Updating the path '${path}' would create a conflict at '${prefix}'`);
      seen.set(prefix, i === parts.length);
    }
  }
}

function filtersOf(list: readonly Elem[]): Map<string, Node> {
  const out = new Map<string, Node>();
  for (const v of list) {
    const filter = parseFilter(v);
    const [name, other] = new Set(topLevelNames(filter));
    if (name === undefined)
      throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
    if (other !== undefined)
      throw failedToParse(
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
      );
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      throw new ServerError(
        2,
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    if (out.has(name)) throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    out.set(name, filter);
  }
  return out;
}

/** The first parts of all paths that a filter is about. */
function topLevelNames(node: Node): string[] {
  if (node.k === 'pred') return [node.path.parts[0]?.name ?? ''];
  return node.k === 'not' ? topLevelNames(node.node) : node.nodes.flatMap(topLevelNames);
}

function checkIdentifiers(mods: readonly Mod[], filters: ReadonlyMap<string, Node>): void {
  const used = new Set<string>();
  for (const { path, parts } of mods) {
    for (const part of parts) {
      const id = /^\$\[(.*)\]$/.exec(part)?.[1];
      if (id === undefined || id === '') continue;
      if (!filters.has(id)) throw new ServerError(2, `No array filter found for identifier '${id}' in path '${path}'`);
      used.add(id);
    }
  }
  for (const id of filters.keys())
    if (!used.has(id)) throw failedToParse(`The array filter for identifier '${id}' was not used in the update`);
}
