import { reactor, type Reactor, type StoreScope, type TimerHandler } from '@scriptorium/event-sourcing';
import { AppError } from '@scriptorium/contracts';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { libraryEvents, spaces } from '../../../library/index.js';
import { branchEvents } from '../../../versions/index.js';
import { translationEvents } from '../translation.events.js';
import { translationDocuments } from '../translation.projection.js';
import type { TranslationSettings } from '../translation.settings.js';
import { requestRun, translation } from '../translation.js';
import { translations } from '../translations.js';

/** The command of the timers that have edits of a source translated. */
export const translateEditsCommand = 'translate_edits';

const Named = z.object({ space: z.string() });
type Waits = Pick<TranslationSettings, 'TRANSLATION_WAIT_SECONDS'>;

/** Edits of a source are translated together with those that come soon after them. */
export function editedSourcesReactor(context: ServiceContext, { TRANSLATION_WAIT_SECONDS: seconds }: Waits): Reactor {
  const waitMs = seconds * 1_000;
  return reactor({
    name: 'translations_of_edited_spaces',
    entities: ['branch'],
    events: [branchEvents.pick('RevisionCreated')],
    from: 'now',
    react: async ({ entityId: branch, position, type, data: { space } }, store) => {
      if (branch !== space) return;
      if ((await store.read(translationDocuments).findOne({ source: space })) === null) return;
      // The timer asks this read model which revision is the newest one.
      await waitForProjections({ store }, { position, type }, [spaces]);
      await scheduleEdits(store, space, { now: context.now(), waitMs });
    },
  });
}

/** What was edited while a translation was made, before anybody could see that there is one, is translated after it. */
export function completedTranslationsReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'translations_of_newest_revisions',
    entities: ['translation'],
    events: [translationEvents.pick('TranslationRunCompleted')],
    react: async ({ entityId: id, meta: { organization } }, store) => {
      const known = organization === null ? undefined : await store.in(organization).load(translations, organization);
      const source = known?.all.get(id)?.source;
      if (source !== undefined) await scheduleEdits(store, source, { now: context.now(), waitMs: 0 });
    },
  });
}

/**
 * Has the edits of a space translated. Edits of one span of time are one timer: it goes on from the last of them, and
 * the next span has another one, so that edits without end do not put it off.
 */
async function scheduleEdits(
  store: StoreScope,
  space: string,
  { now, waitMs }: { now: number; waitMs: number },
): Promise<void> {
  const span = Math.floor(now / Math.max(1, waitMs));
  await store.schedule({
    id: `${translateEditsCommand}:${space}:${span}`,
    at: now + waitMs,
    command: translateEditsCommand,
    data: { space },
  });
}

/** Requests a run of each translation of a space that has not translated its newest revision. */
export const editedSourcesTimer: TimerHandler = async ({ data }, store) => {
  const named = Named.safeParse(data);
  if (!named.success) throw new AppError('unexpected', [], { message: 'The timer names no space' });
  const { space } = named.data;
  const head = (await store.read(spaces).byId(space))?.revision;
  if (head == null) return;
  for await (const { _id: id, organization } of store.read(translationDocuments).find({ source: space }))
    await store
      .in(organization)
      .step(id)
      .handle(translation, id, (state) =>
        state.isEnded || (state.running?.revision ?? state.translated) === head
          ? []
          : requestRun(state, { cause: 'source' }),
      );
};

/** A run says that its source is deleted, or goes on when it was restored. */
export const deletedSourcesReactor: Reactor = reactor({
  name: 'translations_of_deleted_spaces',
  entities: ['library'],
  events: [libraryEvents.pick('SpaceDeleted', 'SpaceRestored')],
  from: 'now',
  react: async ({ entityId: organization, position, type, data: { space } }, store) => {
    await waitForProjections({ store }, { position, type }, [spaces]);
    for await (const { _id: id } of store.read(translationDocuments).find({ source: space }))
      await store
        .in(organization)
        .step(id)
        .handle(translation, id, (state) => (state.isEnded ? [] : requestRun(state, { cause: 'source' })));
  },
});
