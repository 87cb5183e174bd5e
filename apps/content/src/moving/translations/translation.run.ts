import { AppError } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { spaces } from '../../library/index.js';
import type { ContentObjects } from '../../versions/index.js';
import { nextStep } from './runs/next-step.process.js';
import { requestGate } from './runs/request-gate.js';
import { dropWork, usageOfRun } from './runs/run-work.operational.js';
import { firstState, RunState } from './runs/working.process.js';
import { begin, record, translation, type Outcome, type Translation } from './translation.js';
import { translations } from './translations.js';
import type { Translator } from './translator.process.js';

/** Translates what is requested of a translation: one run for all that was requested until it begins. */
export const translationRun = defineRun({
  kind: 'translation',
  input: z.object({ translation: z.string() }),
  state: RunState,
  begin: () => firstState,
  cancellable: false,
  // One for each translation that an organization can have at the highest limit.
  openAtMost: 10_000,
  // A provider takes up to two minutes for a batch, and again for what it got wrong.
  stepWithinMs: 300_000,
  leavesRoom: true,
});

/** One run for each time that something is requested. */
export function runOf(id: string, request: number): string {
  return `translation-${id}-${request}`;
}

/** How long a run waits for another one that is at the same translation, ms. */
const pauseMs = 500;

/** The steps of runs: what differs is planned, taken apart, translated, and built. */
export function translationHandler(
  context: ServiceContext,
  translator: Translator,
  objects: ContentObjects,
): RunHandler {
  const gate = requestGate(translator.atOnce);
  return runHandler(translationRun, {
    async step(state, store, run) {
      const of = { run: run.id, translation: run.input.translation };
      const scope = context.scope(store);
      const known = await beginRun(store, { id: of.translation, run: run.id });
      const { running } = known;
      const organization = store.context.organization ?? '';
      const others = await store.load(translations, organization);
      const about = others.all.get(of.translation);
      const isOver = running === null || about === undefined;
      if (!isOver && running.run !== run.id) return { next: state, afterMs: pauseMs };
      const { provider } = translator;
      if (!isOver && provider !== undefined) {
        const working = { scope, objects, provider, run, of, organization, about, others, known, running };
        const stepped = await nextStep(working, state, gate);
        if ('next' in stepped) return { ...stepped, progress: progressOf(stepped.next) };
        const outcome = await withUsage(scope, run.id, stepped.outcome);
        await endRun(store, { id: of.translation, run: run.id, outcome });
      } else if (!isOver) {
        const outcome = { reason: 'no_provider' as const, attempts: 1 };
        await endRun(store, { id: of.translation, run: run.id, outcome });
      }
      await dropWork(scope, of);
      return { done: null };
    },
    async cleanUp(_state, store, { id: run, input: { translation: id } }) {
      const outcome = await withUsage(context, run, { reason: 'unexpected', attempts: 1 });
      await endRun(store, { id, run, outcome });
      await dropWork(context, { run });
      return { done: null };
    },
  });
}

/** A run that fails has used what it has used. */
async function withUsage(scope: Pick<Scope, 'database'>, run: string, outcome: Outcome): Promise<Outcome> {
  return 'reason' in outcome ? { ...outcome, usage: (await usageOfRun(scope, { run })).usage } : outcome;
}

/** Chunks are read twice, and each batch is sent once. */
function progressOf({ phase, at, chunks, batches }: RunState): { done: number; total: number } {
  const before = { plan: 0, segment: 0, translate: chunks, build: chunks + batches, commit: 2 * chunks + batches };
  return { done: before[phase] + at, total: 2 * chunks + batches + 1 };
}

/** Begins a run with the newest revision of the source. @returns the translation then */
export async function beginRun(store: StoreScope, { id, run }: { id: string; run: string }): Promise<Translation> {
  const { organization } = store.context;
  if (organization === null) throw new AppError('unexpected', [], { message: 'The run names no organization' });
  const known = (await store.load(translations, organization)).all.get(id);
  const source = known === undefined ? null : await store.read(spaces).byId(known.source);
  const { state } = await store
    .step('begin')
    .handle(translation, id, (before) => begin(before, run, source?.revision ?? null), { wait: false });
  return state;
}

/** Records what a run has come to. */
export async function endRun(
  store: StoreScope,
  { id, run, outcome }: { id: string; run: string; outcome: Outcome },
): Promise<void> {
  await store.step('record').handle(translation, id, (state) => record(state, run, outcome), { wait: false });
}
