import type { Reason } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { Binary, type Collection } from 'mongodb';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { resultsToDrop } from './results-to-drop.js';

type Within = Pick<Scope, 'database'>;

/** What is computed: for a space, from a source, and from what the source depends on now, which `seed` tells. */
export interface ResultKey {
  pool: string;
  space: string;
  source: string;
  seed: string;
  /** The branch that it is computed for: the main one has the id of the space. `null` for an older revision. */
  branch: string | null;
}

/** What is asked for. */
export type AskedResult = Omit<ResultKey, 'pool'>;

/** Why something was not computed. `until`: it is not tried again before (ms). */
export interface ResultFailure {
  reason: Reason;
  message: string;
  /** How often, one after the other. */
  count: number;
  until: number;
}

interface ResultDocument extends Omit<ResultKey, 'branch'> {
  /** `<space>/<source>/<seed>` */
  _id: string;
  /** The branch that shows it, the main one if several do. Without it, it is shown by its seed alone. */
  branch?: string | null;
  /** When the branch began to show it, ms; if it still does, at most a day before it did so last. */
  shownAt?: number;
  /** When it was computed, or failed last, ms. */
  at: number;
  /** What was computed, deflated; absent as long as it has failed. */
  text?: Binary;
  isComputed: boolean;
  /** Why it was not computed, or not all of it. */
  failure?: ResultFailure;
  /** The replica that computes it, until it has ended or the time is over. */
  claim?: ResultClaim;
}

interface ResultClaim {
  by: string;
  /** ms */
  until: number;
}

/** What names what was computed: its text is another one when it was computed at another time. */
export interface ResultName {
  id: string;
  at: number;
}

/** What is known of a source: the result for a seed, or else the last one before, and why there is no newer one. */
export interface FoundResult {
  kept: (ResultName & { seed: string }) | undefined;
  failure: ResultFailure | undefined;
}

export const computedResultIndexes = {
  op_computed_results: [
    { key: { space: 1, source: 1, branch: 1, isComputed: 1, shownAt: -1 }, name: 'source_branch' },
    // Everything that is needed to tell what is dropped, so that no text is read for it.
    { key: { space: 1, shownAt: -1, source: 1, branch: 1, isComputed: 1, _id: 1 }, name: 'space_shown' },
    { key: { pool: 1 }, name: 'pool' },
  ],
} as const;

/** What stays shown is recorded again after this time, ms. */
const againMs = 24 * 3_600_000;
/** Those of one space that are looked at: more than there can be. */
const mostListed = 2_000;

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

function results({ database }: Within): Collection<ResultDocument> {
  return database.collection<ResultDocument>('op_computed_results');
}

function idOf({ space, source, seed }: AskedResult): string {
  return `${space}/${source}/${seed}`;
}

/**
 * What is shown of a source on a branch: the result for its seed, whoever had it computed, else the last one that the
 * branch has shown, else the last one of the main content. It is noted as what the branch shows.
 */
export async function findResult(scope: Within, key: AskedResult, now: number): Promise<FoundResult> {
  const { space, branch } = key;
  const projection = { seed: 1, at: 1, isComputed: 1, failure: 1, branch: 1, shownAt: 1 };
  const [own, last, main] = await Promise.all([
    results(scope).findOne({ _id: idOf(key) }, { projection }),
    branch === null ? null : lastOf(scope, key, branch),
    branch === space ? null : lastOf(scope, key, space),
  ]);
  const failure = own?.failure;
  const kept = own?.isComputed === true ? own : (last ?? main);
  if (kept === null) return { kept: undefined, failure };
  const isNoted = kept._id === last?._id && (kept.shownAt ?? 0) > now - againMs;
  if (!isNoted && isShownBy(kept, key)) await noteShown(scope, kept._id, key, now);
  return { kept: { id: kept._id, at: kept.at, seed: kept.seed }, failure };
}

/** Whether it is noted that a branch shows a result: not of one that another change request has. */
function isShownBy(kept: Pick<ResultDocument, 'branch'>, { space, branch }: AskedResult): boolean {
  return branch !== null && (branch === space || kept.branch === branch);
}

/**
 * What is used where something cannot be computed: the result for the seed, else the last one of the main content. No
 * other branch counts, since the main content may have the same seed later.
 */
export async function findEarlier(scope: Within, key: AskedResult): Promise<ResultName | undefined> {
  const own = await results(scope).findOne({ _id: idOf(key), isComputed: true }, { projection: { at: 1 } });
  const found = own ?? (await lastOf(scope, key, key.space));
  return found ? { id: found._id, at: found.at } : undefined;
}

function lastOf(scope: Within, { space, source }: AskedResult, branch: string) {
  const projection = { seed: 1, at: 1, branch: 1, shownAt: 1 };
  return results(scope).findOne({ space, source, branch, isComputed: true }, { projection, sort: { shownAt: -1 } });
}

/** Notes that a branch shows a result. What the main content shows stays that of the main content. */
async function noteShown(scope: Within, id: string, { space, branch }: AskedResult, now: number): Promise<void> {
  const of = branch === space ? { _id: id } : { _id: id, branch };
  await results(scope).updateOne(of, { $set: { branch, shownAt: now } });
}

/** The text of a result; `undefined` when it is not there any more. */
export async function readResult(scope: Within, { id, at }: ResultName): Promise<string | undefined> {
  const found = await results(scope).findOne({ _id: id, at });
  return found?.text === undefined ? undefined : (await inflate(found.text.buffer)).toString('utf8');
}

/**
 * Takes over to compute something, unless it is there, or another replica does so, or it rests after a failure. What is
 * known of the last failure; `null` when nothing is to be computed.
 */
export async function claimResult(
  scope: Within,
  key: ResultKey,
  { claim, now }: { claim: ResultClaim; now: number },
): Promise<{ failure: ResultFailure | undefined } | null> {
  const claimable = {
    _id: idOf(key),
    $and: [
      { $or: [{ isComputed: false }, { failure: { $exists: true } }] },
      { $or: [{ failure: { $exists: false } }, { 'failure.until': { $lte: now } }] },
      { $or: [{ claim: { $exists: false } }, { 'claim.until': { $lte: now } }] },
    ],
  };
  try {
    const claimed = await results(scope).findOneAndUpdate(
      claimable,
      { $set: { claim }, $setOnInsert: { ...key, at: now, shownAt: now, isComputed: false } },
      { upsert: true, returnDocument: 'after', projection: { failure: 1 } },
    );
    return claimed && { failure: claimed.failure };
  } catch (error) {
    // It is there, but not to be claimed.
    if (isDuplicate(error)) return null;
    throw error;
  }
}

/** Whether another replica computes something, and what is known of the last failure. */
export async function findClaim(
  scope: Within,
  key: AskedResult,
  now: number,
): Promise<{ isClaimed: boolean; failure: ResultFailure | undefined }> {
  const found = await results(scope).findOne({ _id: idOf(key) }, { projection: { claim: 1, failure: 1 } });
  return { isClaimed: (found?.claim?.until ?? 0) > now, failure: found?.failure };
}

/** Lets another replica compute what this one has not. */
export async function releaseResult(scope: Within, key: ResultKey, by: string): Promise<void> {
  await results(scope).updateOne({ _id: idOf(key), 'claim.by': by }, { $unset: { claim: 1 } });
}

/** Keeps a result, in the place of those that are too many. `failure`: why it is not all of it. */
export async function keepResult(
  scope: Within,
  key: ResultKey,
  { text, failure }: { text: string; failure: ResultFailure | undefined },
  at: number,
): Promise<void> {
  const _id = idOf(key);
  const { pool, space, source, seed, branch } = key;
  const computed = { text: new Binary(await deflate(text)), at, isComputed: true };
  const ofNew = { pool, space, source, seed, branch, shownAt: at };
  await results(scope).updateOne(
    { _id },
    failure === undefined
      ? { $set: computed, $unset: { claim: 1, failure: 1 }, $setOnInsert: ofNew }
      : { $set: { ...computed, failure }, $unset: { claim: 1 }, $setOnInsert: ofNew },
    { upsert: true },
  );
  await noteShown(scope, _id, key, at);
  await dropBeyond(scope, space);
}

/** Keeps why what was claimed was not computed. What was computed before stays. */
export async function keepFailure(
  scope: Within,
  key: ResultKey,
  { failure, by }: { failure: ResultFailure; by: string },
  now: number,
): Promise<void> {
  const _id = idOf(key);
  await results(scope).updateOne({ _id, 'claim.by': by }, { $set: { failure }, $unset: { claim: 1 } });
  // Those that failed longest ago are dropped first.
  await results(scope).updateOne({ _id, isComputed: false }, { $set: { shownAt: now } });
  await dropBeyond(scope, key.space);
}

async function dropBeyond(scope: Within, space: string): Promise<void> {
  const all = await results(scope)
    .find({ space }, { projection: { source: 1, branch: 1, isComputed: 1 } })
    .sort({ shownAt: -1 })
    .limit(mostListed)
    .toArray();
  const ids = resultsToDrop(space, all);
  if (ids.length > 0) await results(scope).deleteMany({ _id: { $in: ids } });
}

/** Drops what was computed: for a space, or with a pool. */
export async function dropResults(scope: Within, of: { space: string } | { pool: string }): Promise<void> {
  await results(scope).deleteMany(of);
}
