import { AppError } from '@scriptorium/contracts';
import { runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { revisions, type ContentObjects } from '../../../versions/index.js';
import { inLiveSpace, requireLive } from '../../../library/index.js';
import { bringFiles } from '../files/bring-files.process.js';
import { commitImport } from '../commit/commit-import.process.js';
import { scheduleForgetting } from './forget-import.timer.js';
import { contentImport, type ImportState } from './import.run.js';
import { dropWork } from '../import-items.operational.js';
import { changeImport, dropImports, endImport, findImport, type ImportDocument } from '../imports.operational.js';
import { planStep } from '../planning/plan-step.process.js';
import { fetchSource, putAside, uploadOfImport } from '../archive/sources.process.js';
import { sweepLater } from './sweep-import.process.js';
import { read, scan } from './read-steps.process.js';
import { on, progress, requireBranch, tellEveryMs, workOf, type Outcome, type Step } from './step.process.js';

/** What is left of the time of a step for storing what it has done, ms. */
const reserveMs = 1_000;
/** Refusals after which another attempt would not help. */
const final: ReadonlySet<string> = new Set([
  'bad_gateway',
  'change_request_merged',
  'content_change_invalid',
  'import_empty',
  'invalid_request',
  'limit_reached',
  'not_found',
  'precondition_failed',
  'space_locked',
  'space_read_only',
  'too_large',
]);

function timeOf({ now }: Pick<Scope, 'now'>): string {
  return new Date(now()).toISOString();
}

/** The steps of imports. */
export function importHandler(context: ServiceContext, objects: ContentObjects): RunHandler {
  return runHandler(contentImport, {
    async step(state, store, run) {
      const about = await findImport(context, run.id);
      if (about === null) return { failed: new AppError('not_found', [], { message: 'The import was removed' }) };
      try {
        requireInTime(context, about);
        const scope = await inLiveSpace(context.scope(store), run.input.space);
        if (scope.store.context.organization !== about.organization)
          throw new AppError('not_found', [], { message: 'The space was transferred to another organization' });
        return await nextStep({ scope, objects, about, deadline: run.deadline - reserveMs }, state);
      } catch (error) {
        if (!(error instanceof AppError) || !final.has(error.reason)) throw error;
        await endImport(context, run.id, { status: 'failed', completedAt: timeOf(context), failure: failureOf(error) });
        return { failed: error };
      }
    },
    async cleanUp(state, store, run, why) {
      const about = await findImport(context, run.id);
      const scope = context.scope(store);
      const isDone = about?.revision !== undefined;
      if (about !== null && !isDone) await sweepLater(scope, about, state);
      // A step may have noted something after everything that is kept of the import was removed.
      if (about === null) await dropImports(context, { _id: run.id });
      else await end(scope, objects, run.id, isDone ? 'completed' : why);
      return { done: null };
    },
  });
}

/** What an import has stored may be swept a day later, unless a revision names it. */
const longestMs = 12 * 3_600_000;

/** @throws AppError `precondition_failed` for an import that servers have held up for too long */
function requireInTime({ now }: Pick<Scope, 'now'>, { requestedAt, revision }: ImportDocument): void {
  if (revision !== undefined || now() < Date.parse(requestedAt) + longestMs) return;
  throw new AppError('precondition_failed', [], { message: 'It took longer than half a day, import it again' });
}

function failureOf({ reason, message, details }: AppError): NonNullable<ImportDocument['failure']> {
  const path = reason === 'limit_reached' ? undefined : details[0]?.path;
  return { reason, message, ...(path === undefined ? {} : { path }) };
}

function nextStep(step: Step, state: ImportState): Promise<Outcome> {
  switch (state.phase) {
    case 'fetch':
      return fetch(step, state);
    case 'plan':
      return plan(step, state);
    case 'scan':
      return scan(step, state);
    case 'pages':
      return read(step, state, 'page');
    case 'includes':
      return read(step, state, 'include');
    case 'files':
      return bring(step, state);
    case 'commit':
      return make(step, state);
    case 'show':
      return show(step, state);
  }
}

async function fetch({ scope, objects, about, deadline }: Step, state: ImportState): Promise<Outcome> {
  const { _id: id, source, organization, createdBy: user } = about;
  await changeImport(scope, id, { status: 'in-progress', startedAt: about.startedAt ?? timeOf(scope) });
  await putAside(scope, objects.files, { id, organization, user });
  if (source.type === 'url') {
    const fetched = await fetchSource(scope, objects.files, { id, url: source.url, deadline });
    await changeImport(scope, id, { sources: [fetched] });
  }
  return on({ ...state, phase: 'plan' });
}

async function plan({ scope, objects, about, deadline }: Step, state: ImportState): Promise<Outcome> {
  const { pool, tree: root } = await requireBranch(scope, about);
  const pages = await planStep(scope, objects, { about, pool, root, deadline });
  return on({ ...state, phase: 'scan', at: 0, pages });
}

async function bring(step: Step, state: ImportState): Promise<Outcome> {
  const work = await workOf(step);
  const next = await bringFiles(work, state.at, step.scope.now() + tellEveryMs);
  return on(next === undefined ? { ...state, phase: 'commit', at: 0 } : { ...state, at: next });
}

async function make({ scope, objects, about }: Step, state: ImportState): Promise<Outcome> {
  // It may have been locked since the import was begun.
  if (about.branch === about.space && about.revision === undefined) await requireLive(scope, about.space);
  const { revision, counts } = await commitImport(scope, objects, about);
  await changeImport(scope, about._id, { revision, counts });
  return on({ ...state, phase: 'show' });
}

/** How often an import looks whether reads show its revision, and the pause between two looks in ms. */
const [looks, pauseMs] = [150, 200];

/** The import is done once reads show its revision. It is recorded: if they never do, the import does not wait on. */
async function show({ scope, objects, about }: Step, state: ImportState): Promise<Outcome> {
  const shown = await requireBranch(scope, about);
  const made = await scope.store.read(revisions).byId(about.revision ?? '');
  const isPassed = made?.branch === about.branch && made.number <= shown.number;
  const isShown = made !== null && (shown.revision === about.revision || isPassed);
  if (!isShown && state.at < looks) return { next: { ...state, at: state.at + 1 }, afterMs: pauseMs };
  await end(scope, objects, about._id, 'completed');
  return { done: null, progress: progress(state) };
}

/** Ends an import, and removes what only the work itself needed. Safe to repeat. */
async function end(
  scope: Scope,
  objects: ContentObjects,
  id: string,
  status: 'completed' | 'cancelled' | 'failed',
): Promise<void> {
  await endImport(scope, id, { status, completedAt: timeOf(scope) });
  await dropWork(scope, id);
  await objects.files.dropUpload(uploadOfImport(id));
  await scheduleForgetting(scope.store, id, scope.now());
}
