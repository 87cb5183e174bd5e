import { AppError } from '@scriptorium/contracts';
import { streamOf } from '../../events/streams.js';
import { type Folded, readFolded, readOn } from '../../aggregates/folded.js';
import { StoreScope } from '../../commands/store-scope.js';
import { isAway } from '../../database/database.js';
import { describe } from '../../process/observe.js';
import { backOff, pause } from '../../process/time.js';
import { type Run, type RunEnd, endRun, noteProgress } from '../run.js';
import { type RunFailure } from '../../commands/run-request.js';
import { type RunAtWork, type RunWorkParts } from './run-parts.js';
import { tryStep } from './run-attempt.js';
import { contextOfRun } from './run-context.js';
import { type RunDoc, endedFields } from '../run-documents.js';
import { failureOf, jsonWithinBounds } from '../run-kind.js';
import { type StepOutcome } from './run-steps.js';

const attemptsPerStep = 8;
/** A step that ends the process must not end every process that tries it. */
const deathsPerStep = 8;
/** An unavailable server is not the fault of the run, so its step is tried for most of an hour. */
const attemptsWhileAway = 65;
const [firstPause, longestPause] = [500, 60_000];
/** How often (ms) the progress of a run is recorded in its stream. */
const noteEvery = 5000;
/** How long (ms) a run is worked on while others wait. */
const sliceMs = 10_000;
const lookForLease = 50;

interface RunInProgress {
  readonly parts: RunWorkParts;
  readonly run: RunAtWork;
  readonly since: number;
  notedAt: number;
  folded: Folded<Run> | undefined;
  /** The document in `op_runs`. */
  doc: RunDoc;
}

/** The outcome of reading a run and trying its next step. */
type StepResult =
  | StepOutcome<unknown>
  | { readonly cancelled: true }
  | { readonly absent: true }
  | { readonly ended: Pick<Extract<Run, { status: 'ended' }>, 'end' | 'endedAt'> }
  | { readonly error: unknown };

/** `over`: this replica has nothing more to do with the run for now. */
type Next = 'on' | 'over';

/**
 * Works on a run until it ends, has to wait, or belongs to another replica. Throws when the database is unavailable:
 * then the lease expires, and the run continues later from what was saved.
 */
export async function workOn(parts: RunWorkParts, run: RunAtWork): Promise<void> {
  const now = parts.clock.monotonic();
  const work: RunInProgress = { parts, run, since: now, notedAt: now, folded: undefined, doc: run.doc };
  for (let next: Next = 'on'; next === 'on';) {
    if (!(await isHeld(run))) return;
    if (run.stopping() !== 'no') return void (await releaseRun(work, work.doc.due));
    const result = await advance(work);
    if (result === 'interrupted') continue;
    next = await settle(work, result).catch((error: unknown) => settle(work, { error }));
  }
}

/** Whether this replica has the run. Waits while that is not sure, since possibly no other replica has taken it. */
async function isHeld(run: RunAtWork): Promise<boolean> {
  while (run.leaseState() === 'unsure' && run.stopping() === 'no') await pause(lookForLease);
  return run.leaseState() === 'held';
}

async function advance(work: RunInProgress): Promise<StepResult | 'interrupted'> {
  const { parts, run } = work;
  try {
    const state = await look(work);
    if (state.status === 'absent') return { absent: true };
    if (state.status === 'ended') return { ended: state };
    if (state.cancelled && work.doc.ending === undefined) return { cancelled: true };
    // If the document is behind the stream, its later state was lost with the database.
    const { point } = state;
    if (point !== null && point.step > work.doc.step)
      work.doc = { ...work.doc, step: point.step, state: jsonWithinBounds('the state', point.state) };
    if (work.doc.deaths >= deathsPerStep)
      return { failed: new AppError('unexpected', [], { message: 'replicas died during the step' }) };
    return await tryStep(parts, run, work.doc);
  } catch (error) {
    return run.leaseState() === 'held' && run.stopping() !== 'now' ? { error } : 'interrupted';
  }
}

/** The run as its stream shows it now. */
async function look(work: RunInProgress): Promise<Run> {
  const { events, snapshots, aggregate, namespace } = work.parts;
  const stream = streamOf(namespace, aggregate, work.doc._id);
  work.folded =
    work.folded === undefined
      ? await readFolded(events, snapshots, aggregate, stream)
      : await readOn(events, aggregate, stream, work.folded);
  return work.folded.state;
}

async function settle(work: RunInProgress, result: StepResult): Promise<Next> {
  if ('next' in result) return continueRun(work, result);
  const { ending, failure } = work.doc;
  if ('done' in result) {
    if (result.progress !== undefined && !(await change(work, { progress: result.progress }))) return 'over';
    return ending === undefined
      ? end(work, { outcome: 'done', ...(result.done === null ? {} : { result: result.done }) })
      : end(work, { outcome: ending, failure });
  }
  if ('absent' in result) return remove(work);
  if ('ended' in result) return close(work, result.ended);
  if ('cancelled' in result) return cleanUpOrEnd(work, { outcome: 'cancelled' });
  if ('failed' in result) return cleanUpOrEnd(work, { outcome: 'failed', failure: failureOf(result.failed) });
  return retry(work, result.error);
}

async function continueRun(
  work: RunInProgress,
  { next, progress, afterMs = 0 }: Extract<StepOutcome<unknown>, { next: unknown }>,
): Promise<Next> {
  const { clock } = work.parts;
  const state = jsonWithinBounds('the state', next);
  const step = work.doc.step + 1;
  const made = { step, state, attempts: 0, deaths: 0, ...(progress === undefined ? {} : { progress }) };
  if (!(await change(work, made, true))) return 'over';
  await recordProgress(work, next);
  if (afterMs > 0) return releaseRun(work, clock.now() + afterMs);
  const hadTime = clock.monotonic() - work.since >= sliceMs;
  return hadTime && work.run.isAwaited() ? releaseRun(work, clock.now()) : 'on';
}

/** Records the progress in the stream from time to time. If that fails, the next record contains more. */
async function recordProgress(work: RunInProgress, state: unknown): Promise<void> {
  const { parts, doc } = work;
  const now = parts.clock.monotonic();
  if (now - work.notedAt < noteEvery || doc.ending !== undefined) return;
  work.notedAt = now;
  const { step, progress } = doc;
  await scopeOf(work, `progress:${step}`)
    .handle(parts.aggregate, doc._id, (run) => noteProgress(run, { step, state, progress }))
    .catch((error: unknown) =>
      parts.logger.warn({ run: doc._id, error: describe(error) }, 'progress of a run was not recorded'),
    );
}

/** The scope for events of the run's own stream. */
function scopeOf({ parts, doc }: RunInProgress, what: string): StoreScope {
  return new StoreScope(parts.scopes, {
    context: { ...contextOfRun(doc), idem: `run:${doc._id}:${what}` },
    waits: false,
  });
}

/** Ends a cancelled or failed run, after cleaning up if its kind has something to clean up. */
async function cleanUpOrEnd(
  work: RunInProgress,
  { outcome, failure }: RunEnd & { outcome: 'cancelled' | 'failed' },
): Promise<Next> {
  const { run, doc } = work;
  if (doc.ending !== undefined || !run.handler.hasCleanUp)
    return end(work, { outcome, failure: doc.failure ?? failure });
  const begun = { ending: outcome, cancelling: outcome === 'cancelled', attempts: 0, deaths: 0 };
  return (await change(work, { ...begun, ...(failure === undefined ? {} : { failure }) })) ? 'on' : 'over';
}

async function retry(work: RunInProgress, error: unknown): Promise<Next> {
  const { parts, doc } = work;
  const attempts = doc.attempts + 1;
  const message = describe(error);
  parts.logger.warn(
    { run: doc._id, kind: doc.kind, step: doc.step, attempts, error: message },
    'a step of a run failed',
  );
  parts.metrics.runStepFailed?.(doc.kind);
  if (attempts >= (isAway(error) ? attemptsWhileAway : attemptsPerStep)) {
    if (!(await change(work, { error: message }))) return 'over';
    return cleanUpOrEnd(work, { outcome: 'failed', failure: failureOf(error) });
  }
  return releaseRun(work, parts.clock.now() + backOff(attempts - 1, firstPause, longestPause), {
    attempts,
    error: message,
  });
}

async function end(work: RunInProgress, runEnd: RunEnd & { failure?: RunFailure | undefined }): Promise<Next> {
  const { parts, doc } = work;
  if (runEnd.result !== undefined) jsonWithinBounds('the result', runEnd.result);
  const { state } = await scopeOf(work, 'end').handle(parts.aggregate, doc._id, (run) => endRun(run, runEnd));
  if (state.status !== 'ended') throw new Error(`the run ${doc._id} did not end`);
  parts.metrics.runEnded?.(doc.kind, state.end.outcome);
  return close(work, state);
}

/** Writes the end into the document. The stream may have been ended by a replica that died after that. */
async function close(
  work: RunInProgress,
  { end: runEnd, endedAt }: Extract<StepResult, { ended: unknown }>['ended'],
): Promise<Next> {
  const { keepMs } = work.run.handler.kind;
  await change(work, { ...endedFields(runEnd, endedAt, keepMs), owner: null }, runEnd.outcome === 'done');
  return 'over';
}

/** Removes the document of a run whose stream was erased. */
async function remove({ parts, run }: RunInProgress): Promise<Next> {
  parts.logger.warn({ run: run.lease.id }, 'a run without a stream is removed');
  await parts.documents.remove(run.lease, parts.owner);
  return 'over';
}

async function releaseRun(work: RunInProgress, due: number, more: Partial<RunDoc> = {}): Promise<Next> {
  const wasKnown = isCancelled(work.folded?.state);
  if (!(await change(work, { ...more, due, owner: null })) || wasKnown) return 'over';
  // If the run was cancelled in the meantime, its earlier time was overwritten just now.
  if (due > work.parts.clock.now() && isCancelled(await look(work)))
    await work.parts.documents.cancelling(work.doc._id);
  return 'over';
}

function isCancelled(run: Run | undefined): boolean {
  return run?.status === 'open' && run.cancelled;
}

/** Changes the document. Returns false when another replica has taken the run. */
async function change(work: RunInProgress, set: Partial<RunDoc>, solved = false): Promise<boolean> {
  const { parts, run, doc } = work;
  const { error, ...rest } = { ...doc, ...set };
  work.doc = solved || error === undefined ? rest : { ...rest, error };
  return parts.documents.save(run.lease, parts.owner, {
    $set: set,
    ...(solved ? { $unset: { error: '' as const } } : {}),
  });
}
