import type { Engine } from '../engine.js';
import { asServerError, ServerError } from '../bson/errors.js';
import { equalElems, findField, Reader, T, toBson, typeName, Writer, type Elem, type Out } from '../bson/index.js';
import type { Node, Pred } from '../filter/node.js';
import { conjuncts } from '../query/index-plan.js';
import type { Collection } from '../store/model.js';
import { MAX_DOCUMENT, type Reply } from '../wire.js';
import { applyUpdate } from '../update/apply.js';
import type { Mod } from '../update/model.js';
import type { Update } from '../update/spec.js';

const ID = Buffer.from('_id');
/** The description of the index that every collection has. */
export const ID_SPEC = toBson({ v: 2, key: { _id: 1 }, name: '_id_' });

/** The collection, created when missing; only inside a write. */
export function ensureCollection(engine: Engine, db: string, name: string): Collection {
  return engine.catalog.get(`${db}.${name}`) ?? engine.catalog.create(db, name, ID_SPEC);
}

/** A document as it is stored: with an `_id`, and that first. Throws what the server says about unfit documents. */
export function prepareInsert(engine: Engine, doc: Buffer): Buffer {
  if (doc.length > MAX_DOCUMENT)
    throw new ServerError(2, `object to insert too large. size in bytes: ${doc.length}, max size: ${MAX_DOCUMENT}`);
  const id = onlyId(doc);
  checkId(id);
  if (id !== undefined && doc[5] === 0x5f && doc.toString('latin1', 5, 9) === '_id\0') return doc;
  const w = new Writer(doc.length + 32);
  const at = w.open();
  w.elem('_id', id ?? engine.newId());
  const r = new Reader(doc);
  while (r.next()) if (!r.nameIs(ID)) w.raw(doc, r.ns - 1, r.e);
  w.close(at);
  return w.done();
}

/** The `_id` of a document that has at most one. */
function onlyId(doc: Buffer): Elem | undefined {
  let id: Elem | undefined;
  const r = new Reader(doc);
  while (r.next()) {
    if (!r.nameIs(ID)) continue;
    if (id !== undefined) throw new ServerError(2, "can't have multiple _id fields in one document");
    id = r.elem();
  }
  return id;
}

function checkId(id: Elem | undefined): void {
  if (id === undefined) return;
  if (id.t === T.array || id.t === T.regex || id.t === T.undefined)
    throw new ServerError(53, `The '_id' value cannot be of type ${typeName(id.t)}`);
  const name = id.t === T.object ? dollarField(id) : undefined;
  if (name !== undefined)
    throw new ServerError(52, `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`);
}

const DOLLAR = 0x24;
const REFERENCE = ['$ref', '$id', '$db'];

/** A name at any depth that begins with `$` and does not belong to a reference to another document. */
function dollarField(v: Elem): string | undefined {
  const r = new Reader(v.b, v.s);
  let refers = false;
  for (let first = true; r.next(); first = false) {
    if (first) refers = r.name === '$ref';
    if (v.t === T.object && r.b[r.ns] === DOLLAR && !(refers && REFERENCE.includes(r.name))) return r.name;
    const inner = r.t === T.object || r.t === T.array ? dollarField(r.elem()) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The document an upsert inserts: equalities of the filter, then the update. */
export function upsertDocument(engine: Engine, filter: Node, update: Update): Buffer {
  const equalities = equalityPreds(filter);
  if (update.k === 'replace') {
    const id = equalities.find((p) => p.path.text === '_id')?.operand;
    const given = findField(update.doc, 0, ID);
    if (id !== undefined && given !== undefined && !equalElems(id, given))
      throw new ServerError(
        66,
        "After applying the update, the (immutable) field '_id' was found to have been altered",
      );
    return prepareInsert(engine, id === undefined || given !== undefined ? update.doc : withId(update.doc, id));
  }
  const mods: Mod[] = equalities.map((p) => ({
    op: '$set',
    path: p.path.text,
    parts: p.path.parts.map((part) => part.name),
    operand: p.operand,
  }));
  const base = applyUpdate({ k: 'modify', mods, filters: new Map() }, { doc: EMPTY, filter, inserting: true });
  return prepareInsert(engine, applyUpdate(update, { doc: base, filter, inserting: true }));
}

const EMPTY = toBson({});

function equalityPreds(filter: Node): Pred[] {
  const found = conjuncts(filter).filter((n): n is Pred => n.k === 'pred' && n.op === '$eq');
  for (const p of found) {
    const twice = found.find((o) => o !== p && o.path.text === p.path.text);
    if (twice !== undefined)
      throw new ServerError(54, `cannot infer query fields to set, path '${p.path.text}' is matched twice`);
  }
  return found;
}

function withId(doc: Buffer, id: Elem): Buffer {
  const w = new Writer(doc.length + 32);
  const at = w.open();
  w.elem('_id', id);
  w.raw(doc, 4, doc.length - 1);
  w.close(at);
  return w.done();
}

const SLICE = 1000;
const SLICE_MS = 15;

/** What the statements of one command came to. */
export interface Outcome {
  n: number;
  nModified: number;
  readonly upserted: { index: number; _id: Elem }[];
  readonly writeErrors: Out[];
}

/** A statement that is about many documents: it may be held at each `yield`, and others then read and write. */
export type Steps = Generator<void, void, undefined>;

/** Carries out one statement and counts it into the outcome. */
export type Run<S> = (s: S, outcome: Outcome, index: number) => Steps | undefined;

/** How the statements of a command are carried out. */
export interface RunOptions {
  readonly ordered: boolean;
  /** How long all of them together may take; 0 or undefined for as long as it takes. */
  readonly maxTimeMS: number | undefined;
}

/**
 * Runs the statements of a write command, in transactions of at most 1,000; one that is about many documents in
 * several. Each statement counts itself into the outcome; a failing one becomes a write error, behind which an ordered
 * command stops.
 * @throws MaxTimeMSExpired (50) when the time is over; what was written until then stays
 */
export async function runStatements<S>(
  engine: Engine,
  statements: readonly S[],
  { ordered, maxTimeMS }: RunOptions,
  run: Run<S>,
): Promise<Outcome> {
  const outcome: Outcome = { n: 0, nModified: 0, upserted: [], writeErrors: [] };
  const deadline = maxTimeMS === undefined || maxTimeMS === 0 ? Infinity : performance.now() + maxTimeMS;
  const all = inTurn(statements, ordered, outcome, run);
  let done = false;
  while (!done) {
    if (performance.now() > deadline) throw new ServerError(50, 'operation exceeded time limit');
    await engine.storage.write(() => {
      const until = Math.min(performance.now() + SLICE_MS, deadline);
      for (let behind = 0; behind < SLICE;) {
        const step = all.next();
        if (step.done === true) done = true;
        else if (step.value === 'behind') behind += 1;
        if (done || (isPause(step.value, deadline) && performance.now() >= until)) return;
      }
    });
  }
  return outcome;
}

/** Whether a step is a place to look at the clock: within a statement, and behind one when the time is limited. */
const isPause = (step: 'within' | 'behind' | void, deadline: number): boolean =>
  step === 'within' || (step === 'behind' && deadline !== Infinity);

function* inTurn<S>(
  statements: readonly S[],
  ordered: boolean,
  outcome: Outcome,
  run: Run<S>,
): Generator<'within' | 'behind', void, undefined> {
  for (const [index, statement] of statements.entries()) {
    try {
      for (const _ of run(statement, outcome, index) ?? []) yield 'within';
    } catch (error) {
      const { code, message, extra } = asServerError(error);
      outcome.writeErrors.push({ index, code, errmsg: message, ...extra });
      if (ordered) return;
    }
    yield 'behind';
  }
}

/** The reply of a write command. */
export function writeReply(outcome: Outcome, kind: 'insert' | 'update' | 'delete'): Reply {
  return {
    n: outcome.n,
    ...(kind === 'update' ? { nModified: outcome.nModified } : {}),
    ...(outcome.upserted.length > 0 ? { upserted: outcome.upserted.map(({ index, _id }) => ({ index, _id })) } : {}),
    ...(outcome.writeErrors.length > 0 ? { writeErrors: outcome.writeErrors } : {}),
  };
}
