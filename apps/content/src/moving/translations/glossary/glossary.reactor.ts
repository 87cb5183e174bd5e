import { reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { libraryEvents } from '../../../library/index.js';
import { requestRun, translation } from '../translation.js';
import { translations } from '../translations.js';
import { scheduleDrop } from './drop-glossary-texts.timer.js';
import { dropGlossaryTexts, keptTexts } from './glossary-texts.operational.js';
import { close, glossary } from './glossary.js';
import { glossaryEvents } from './glossary.events.js';

/** Other terms are used in what is translated already, too. */
export function changedGlossariesReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'translations_of_changed_terms',
    entities: ['glossary'],
    events: [glossaryEvents.pick('GlossaryChanged')],
    react: async ({ entityId: organization, data, meta }, store) => {
      const entries = [...data.inserted, ...data.updated, ...data.deleted];
      await requestRuns(context, store.in(organization), { organization, entries });
      await scheduleDrop(store, { organization, entries, text: data.text }, meta.time);
    },
  });
}

/** Requests runs of the translations whose pair of languages one of the entries has, or had before. */
async function requestRuns(
  context: ServiceContext,
  store: StoreScope,
  { organization, entries }: { organization: string; entries: readonly string[] },
): Promise<void> {
  const said = await keptTexts(context, organization, entries);
  const { all } = await store.load(translations, organization);
  for (const [id, { from, language }] of all) {
    const terms = entries.filter((entry) =>
      said.get(entry)?.some((translated) => typeof translated[from] === 'string' && language in translated),
    );
    if (terms.length === 0) continue;
    await store.handle(translation, id, (state) =>
      // The first run of one that has not begun uses them anyway.
      state.isEnded || state.requests === 0 ? [] : requestRun(state, { cause: 'glossary', terms }),
    );
  }
}

/** With an organization goes its glossary. */
export const glossariesOfDeletedOrganizationsReactor: Reactor = reactor({
  name: 'glossaries_of_deleted_organizations',
  entities: ['library'],
  events: [libraryEvents.pick('LibraryClosed')],
  react: async ({ entityId: organization }, store) => {
    await store.in(organization).handle(glossary, organization, close);
  },
});

/** With a glossary go its texts, and what is said of it. */
export function closedGlossariesReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'texts_of_closed_glossaries',
    entities: ['glossary'],
    events: [glossaryEvents.pick('GlossaryClosed')],
    react: async ({ entityId: organization }, store) => {
      await dropGlossaryTexts(context, organization);
      await context.idempotency.forget();
      await store.in(organization).erase(glossary, organization);
    },
  });
}
