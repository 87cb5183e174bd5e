import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { libraryEvents } from '../../library/index.js';
import { scheduleDrop } from './drop-texts.timer.js';
import { dropTranslation } from './drop-translation.process.js';
import { releaseResult } from './release-result.process.js';
import { translationDocuments } from './translation.projection.js';
import { end, translation } from './translation.js';
import { translationListEvents } from './translations.events.js';
import { close, removeOfSpaces, translations } from './translations.js';

/** With a space go its translations, and the one that makes it; what the others have made stays. */
export const translationsOfPurgedSpacesReactor: Reactor = reactor({
  name: 'translations_of_purged_spaces',
  entities: ['library'],
  events: [libraryEvents.pick('SpacePurged')],
  react: async ({ entityId: organization, data: { space } }, store) => {
    await store.in(organization).handle(translations, organization, (state) => removeOfSpaces(state, [space]));
  },
});

/**
 * The translations of a space, and the one that makes it, end when it belongs to another organization, also within a
 * collection.
 */
export const translationsOfTransferredSpacesReactor: Reactor = reactor({
  name: 'translations_of_transferred_spaces',
  entities: ['library'],
  events: [libraryEvents.pick('TransferEntered')],
  react: async ({ data: { from, nodes } }, store) => {
    const spaces = nodes.flatMap(({ id, kind }) => (kind === 'space' ? [id] : []));
    await store.in(from).handle(translations, from, (state) => removeOfSpaces(state, spaces));
  },
});

/** With an organization go its translations. */
export const translationsOfDeletedOrganizationsReactor: Reactor = reactor({
  name: 'translations_of_deleted_organizations',
  entities: ['library'],
  events: [libraryEvents.pick('LibraryClosed')],
  react: async ({ entityId: organization }, store) => {
    await store.in(organization).handle(translations, organization, close);
  },
});

/** With a translation go its texts and corrections: now, and once more when nothing can be under way any more. */
export function deletedTranslationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'texts_of_deleted_translations',
    entities: ['translations'],
    events: [translationListEvents.pick('TranslationDeleted', 'TranslationsClosed')],
    react: async (event, store) => {
      const inside = store.in(event.entityId);
      if (event.type === 'TranslationsClosed') return inside.erase(translations, event.entityId);
      const scope = context.scope(inside);
      const { translation: id } = event.data;
      await inside.handle(translation, id, end);
      await waitForProjections(scope, event, [translationDocuments]);
      await releaseResult(inside, id);
      await dropTranslation(scope, id);
      await scheduleDrop(inside, id, event.meta.time);
      await context.idempotency.forget();
      if ((await inside.load(translations, event.entityId)).isClosed) await inside.erase(translation, id);
    },
  });
}
