import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { scheduleDrop } from './drop-texts.timer.js';
import { newestName } from './texts/instructions.operational.js';
import { translationEvents } from './translation.events.js';
import { beginRun, endRun, runOf, translationRun } from './translation.run.js';
import { isWaiting, open, translation } from './translation.js';
import { translationListEvents } from './translations.events.js';

/** A translation begins also when the request that created it breaks off. */
export function createdTranslationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'translations_to_begin',
    entities: ['translations'],
    events: [translationListEvents.pick('TranslationCreated')],
    react: async ({ entityId: organization, data: { translation: id } }, store) => {
      const text = await newestName(context, id);
      await store.in(organization).handle(translation, id, (state) => open(state, text));
    },
  });
}

/** Instructions that were replaced are dropped. */
export const replacedInstructionsReactor: Reactor = reactor({
  name: 'replaced_translation_instructions',
  entities: ['translation'],
  events: [translationEvents.pick('TranslationInstructionsChanged')],
  react: ({ entityId: id, meta }, store) => scheduleDrop(store, id, meta.time),
});

/** What was requested is translated, and what was requested meanwhile after that. */
export const requestedTranslationsReactor: Reactor = reactor({
  name: 'translations_to_run',
  entities: ['translation'],
  events: [translationEvents.pick('TranslationRunRequested', 'TranslationRunCompleted', 'TranslationRunFailed')],
  react: async ({ entityId: id, meta }, store) => {
    const { organization } = meta;
    if (organization == null) return;
    const inside = store.in(organization);
    const state = await inside.load(translation, id);
    if (!isWaiting(state)) return;
    const run = runOf(id, state.requests);
    try {
      await inside.requestRun(translationRun, { id: run, input: { translation: id } });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'limit_reached') throw error;
      await beginRun(inside.step(run), { id, run });
      await endRun(inside.step(run), { id, run, outcome: { reason: 'limit_reached', attempts: 1 } });
    }
  },
});
