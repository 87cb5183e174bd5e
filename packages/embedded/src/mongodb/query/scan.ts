import { ServerError } from '../bson/errors.js';
import { matches } from '../filter/match.js';
import type { Plan } from './planner.js';
import type { Range } from './index-plan.js';
import { unpack, type Records, type Stored } from '../store/records.js';
import { isWholeEntry } from '../store/record-bytes.js';
import type { Storage } from '../store/storage.js';

/** What a walk has cost so far. */
export interface Counters {
  keys: number;
  docs: number;
}

const SMALL_CHUNK = 32;
const MAX_CHUNK = 512;

/**
 * Documents of a plan, in its order. The walk reads a chunk of keys at a time and remembers only its place, so that it
 * can pause between commands and see documents written meanwhile. `wanted` is how many will be taken, if known.
 * `undefined` marks a place to pause at.
 */
export function* scan(
  storage: Storage,
  records: Records,
  plan: Plan,
  counters: Counters,
  wanted = Infinity,
): Generator<Stored | undefined, void, undefined> {
  if (plan.idKey !== undefined) {
    const stored = byId(records, plan, plan.idKey, counters);
    if (stored !== undefined) yield stored;
    return;
  }
  if (plan.branches !== undefined) {
    yield* scanBranches(storage, records, plan, plan.branches, counters);
    return;
  }
  const seen = plan.repeats ? new Set<string>() : undefined;
  const ranges = plan.reverse ? [...plan.ranges].reverse() : plan.ranges;
  const direct = plan.access === undefined || plan.access.index.name === '_id_';
  for (const range of ranges) {
    const walk = direct
      ? walkDocs(storage, plan, range, counters, wanted)
      : walkIndex({ storage, records, plan, counters, seen, wanted }, range);
    for (const stored of walk) {
      if (stored === undefined || plan.residual === undefined || matches(plan.residual, stored.doc)) yield stored;
    }
  }
}

/** What any of the branches finds, each document once. */
function* scanBranches(
  storage: Storage,
  records: Records,
  plan: Plan,
  branches: readonly Plan[],
  counters: Counters,
): Generator<Stored | undefined, void, undefined> {
  const seen = new Set<string>();
  for (const branch of branches) {
    for (const stored of scan(storage, records, branch, counters)) {
      const id = stored?.idKey.toString('latin1') ?? '';
      if (stored === undefined) yield undefined;
      else if (!seen.has(id) && (plan.residual === undefined || matches(plan.residual, stored.doc))) {
        seen.add(id);
        yield stored;
      }
    }
  }
}

/** The one document of a plan that names its `_id`, when there is one and it satisfies the rest of the filter. */
export function byId(records: Records, plan: Plan, idKey: Buffer, counters: Counters): Stored | undefined {
  counters.keys += 1;
  const doc = records.get(plan.collection, idKey);
  if (doc === undefined) return undefined;
  counters.docs += 1;
  return plan.residual === undefined || matches(plan.residual, doc) ? { idKey, doc } : undefined;
}

/** Whether a range can only hold one document: it ends right behind its start. */
const isPoint = (r: Range): boolean =>
  r.end.length === r.start.length + 1 &&
  r.end[r.start.length] === 0xff &&
  r.end.subarray(0, r.start.length).equals(r.start);

function* walkDocs(
  storage: Storage,
  plan: Plan,
  range: Range,
  counters: Counters,
  wanted: number,
): Generator<Stored | undefined, void, undefined> {
  const { prefix } = plan.collection;
  if (plan.access !== undefined && range.start.length > prefix.length && isPoint(range)) {
    counters.keys += 1;
    const record = storage.docs.getBinary(range.start);
    if (record === undefined) return;
    counters.docs += 1;
    const idKey = range.start.subarray(prefix.length);
    yield { idKey, doc: unpack(plan.collection, idKey, record) };
    return;
  }
  for (const entry of chunks(storage.docs, range, plan.reverse, wanted)) {
    if (entry === undefined) {
      yield undefined;
      continue;
    }
    const { key, value } = entry;
    counters.docs += 1;
    if (plan.access !== undefined) counters.keys += 1;
    const idKey = key.subarray(prefix.length);
    yield { idKey, doc: unpack(plan.collection, idKey, value) };
  }
}

function damagedIndex({ collection, access }: Plan): ServerError {
  return new ServerError(
    8,
    `The index ${access?.index.name ?? ''} of ${collection.ns} is damaged in data.mdb; restore it from a backup, or drop the index and create it again`,
  );
}

interface IndexWalk {
  readonly storage: Storage;
  readonly records: Records;
  readonly plan: Plan;
  readonly counters: Counters;
  readonly seen: Set<string> | undefined;
  readonly wanted: number;
}

function* walkIndex(
  { storage, records, plan, counters, seen, wanted }: IndexWalk,
  range: Range,
): Generator<Stored | undefined, void, undefined> {
  for (const entry of chunks(storage.index, range, plan.reverse, wanted)) {
    if (entry === undefined) {
      yield undefined;
      continue;
    }
    const { key, value } = entry;
    counters.keys += 1;
    if (!isWholeEntry(key, value)) throw damagedIndex(plan);
    const idKey = key.subarray(key.length - value.readUInt16BE(0));
    if (seen !== undefined) {
      const id = idKey.toString('latin1');
      if (seen.has(id)) continue;
      seen.add(id);
    }
    const doc = records.get(plan.collection, idKey);
    if (doc === undefined) {
      // Removed since this chunk was read, unless the entry is still there.
      if (storage.index.doesExist(key)) throw damagedIndex(plan);
      continue;
    }
    counters.docs += 1;
    yield { idKey, doc };
  }
}

/** As many as are wanted, when that is known and not too many; else a few, in case few are needed. */
const firstChunk = (wanted: number): number => (wanted <= MAX_CHUNK ? Math.max(wanted, 1) : SMALL_CHUNK);

function* chunks(
  table: Storage['docs'],
  range: Range,
  reverse: boolean,
  wanted: number,
): Generator<{ key: Buffer; value: Buffer } | undefined, void, undefined> {
  let { start, end } = range;
  // A range ends before its end, also when that end is where a walk backwards begins.
  let exclusive = reverse;
  for (let limit = firstChunk(wanted); ; limit = Math.min(limit * 2, MAX_CHUNK)) {
    const options = reverse ? { start: end, end: start, reverse: true, inclusiveEnd: true } : { start, end };
    const list = [...table.getRange({ ...options, limit, exclusiveStart: exclusive })];
    yield* list;
    const last = list.at(-1);
    if (last === undefined || list.length < limit) return;
    yield undefined;
    if (reverse) end = last.key;
    else start = last.key;
    exclusive = true;
  }
}

/** Number of keys in the ranges, without reading a document. */
export function countKeys(storage: Storage, plan: Plan): number {
  const table = plan.access === undefined || plan.access.index.name === '_id_' ? storage.docs : storage.index;
  return plan.ranges.reduce((sum, { start, end }) => sum + table.getCount({ start, end }), 0);
}
