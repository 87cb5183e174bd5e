import { docElem, equalElems, findField, inspect, textOf, toBson, type Elem } from '../bson/index.js';
import { badValue, ServerError } from '../bson/errors.js';
import type { Node } from '../filter/node.js';
import { matches } from '../filter/match.js';
import { MAX_DOCUMENT } from '../wire.js';
import { applyOperator } from './operators.js';
import { matchedPosition } from './positional.js';
import type { Mod, Target } from './model.js';
import type { Update } from './spec.js';
import { childOf, closed, modify, openDocument, opened, serialize, type Obj, type Val } from './tree.js';

const ID = Buffer.from('_id');

/** What an update is applied to. */
export interface Subject {
  readonly doc: Buffer;
  /** The filter that found the document; `$` in a path refers to it. */
  readonly filter: Node;
  /** Whether the document is being inserted by an upsert. */
  readonly inserting: boolean;
}

/**
 * The changed document; the very same buffer when nothing changes. Throws ImmutableField (66) and the operators'
 * errors.
 */
export function applyUpdate(update: Update, subject: Subject): Buffer {
  const result =
    update.k === 'replace' ? replacement(update.doc, subject.doc) : modified(update.mods, update.filters, subject);
  if (result.equals(subject.doc)) return subject.doc;
  if (result.length > MAX_DOCUMENT)
    throw new ServerError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT}`);
  return result;
}

function replacement(doc: Buffer, old: Buffer): Buffer {
  const id = findField(old, 0, ID);
  const given = findField(doc, 0, ID);
  if (id !== undefined && given !== undefined && !equalElems(id, given)) {
    throw new ServerError(
      66,
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${inspect(given)}`,
    );
  }
  const root = openDocument(docElem(doc));
  if (id !== undefined) root.fields.set('_id', id);
  return serialize(root);
}

function modified(mods: readonly Mod[], filters: ReadonlyMap<string, Node>, subject: Subject): Buffer {
  const root = openDocument(docElem(subject.doc));
  const id = root.fields.get('_id');
  const target: Target = { id: id === undefined ? undefined : closed(id), inserting: subject.inserting };
  const sources = renameSources(root, mods);
  for (const mod of mods) {
    for (const parts of resolve(root, mod, filters, subject)) applyAt(root, mod, parts, target, sources);
  }
  checkId(root, target.id, mods);
  return serialize(root);
}

function checkId(root: Obj, before: Elem | undefined, mods: readonly Mod[]): void {
  if (before === undefined) return;
  const now = root.fields.get('_id');
  if (now !== undefined && equalElems(closed(now), before)) return;
  const path = mods.find((m) => m.parts[0] === '_id')?.path ?? '_id';
  throw new ServerError(66, `Performing an update on the path '${path}' would modify the immutable field '_id'`);
}

/** What the renamed fields held before anything was changed. */
function renameSources(root: Obj, mods: readonly Mod[]): Map<string, Val | undefined> {
  const out = new Map<string, Val | undefined>();
  for (const { op, operand } of mods) {
    if (op !== '$rename') continue;
    const from = textOf(operand);
    let at: Val | undefined = root;
    for (const part of from.split('.')) {
      const container: Val | undefined = at === undefined ? undefined : opened(at);
      if (container !== undefined && 'k' in container && container.k === 'arr')
        throw badValue(`The source field cannot be an array element, '${from}' in doc has an array field`);
      at = container !== undefined && 'k' in container ? childOf(container, part) : undefined;
    }
    out.set(from, at);
  }
  return out;
}

function applyAt(
  root: Obj,
  mod: Mod,
  parts: readonly string[],
  target: Target,
  sources: ReadonlyMap<string, Val | undefined>,
): void {
  if (mod.op === '$rename') {
    const source = sources.get(textOf(mod.operand));
    if (source !== undefined) modify(root, { parts, create: true }, () => source);
    return;
  }
  const create = !['$unset', '$renameFrom', '$pull', '$pullAll', '$pop'].includes(mod.op);
  if (mod.op === '$setOnInsert' && !target.inserting) return;
  modify(root, { parts, create }, (current) => applyOperator(mod, current, target));
}

/** The concrete paths a path with `$`, `$[]` or `$[id]` stands for in this document. */
function resolve(root: Obj, mod: Mod, filters: ReadonlyMap<string, Node>, subject: Subject): (readonly string[])[] {
  if (!mod.path.includes('$')) return [mod.parts];
  let open: { parts: string[]; at: Val | undefined }[] = [{ parts: [], at: root }];
  for (const part of mod.parts) {
    open = open.flatMap(({ parts, at }) => {
      const container = at === undefined ? undefined : opened(at);
      const next = (name: string): { parts: string[]; at: Val | undefined } => ({
        parts: [...parts, name],
        at: container !== undefined && 'k' in container ? childOf(container, name) : undefined,
      });
      if (part === '$') return [next(String(matchedPosition(subject.filter, parts, container)))];
      if (!part.startsWith('$[')) return [next(part)];
      return elementsOf(container, parts, part, filters).map((i) => next(String(i)));
    });
  }
  return open.map((o) => o.parts);
}

function elementsOf(
  at: Val | undefined,
  parts: readonly string[],
  part: string,
  filters: ReadonlyMap<string, Node>,
): number[] {
  const path = parts.join('.');
  if (at === undefined)
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`);
  if (!('k' in at) || at.k !== 'arr')
    throw badValue(`Cannot apply array updates to non-array element ${path}: ${inspect(closed(at))}`);
  const id = part.slice(2, -1);
  const filter = filters.get(id);
  return at.items.flatMap((item, i) =>
    filter === undefined || matches(filter, toBson({ [id]: closed(item) })) ? [i] : [],
  );
}
