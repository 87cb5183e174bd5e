import { AppError } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { spaces } from '../../library/index.js';
import { begin, record, translation, type Outcome, type Translation } from './translation.js';
import { translations } from './translations.js';
import type { Translator } from './translator.process.js';

/** Translates what is requested of a translation: one run for all that was requested until it begins. */
export const translationRun = defineRun({
  kind: 'translation',
  input: z.object({ translation: z.string() }),
  state: z.object({}),
  begin: () => ({}),
  cancellable: false,
  // One for each translation that an organization can have at the highest limit.
  openAtMost: 10_000,
});

/** One run for each time that something is requested. */
export function runOf(id: string, request: number): string {
  return `translation-${id}-${request}`;
}

/** How long a run waits for another one that is at the same translation, ms. */
const pauseMs = 500;

export function translationHandler(translator: Translator): RunHandler {
  return runHandler(translationRun, {
    async step(_state, store, { id: run, input: { translation: id } }) {
      const { running } = await beginRun(store, { id, run });
      if (running === null) return { done: null };
      if (running.run !== run) return { next: {}, afterMs: pauseMs };
      // Here the pages are planned, taken apart, translated and built.
      const reason = translator.provider === undefined ? ('no_provider' as const) : ('provider_error' as const);
      await endRun(store, { id, run, outcome: { reason, attempts: 1 } });
      return { done: null };
    },
    async cleanUp(_state, store, { id: run, input: { translation: id } }) {
      await endRun(store, { id, run, outcome: { reason: 'provider_error', attempts: 1 } });
      return { done: null };
    },
  });
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
