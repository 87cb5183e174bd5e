import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor, type StoreScope, type TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { libraryEvents } from '../../library/index.js';
import { branchEvents } from '../../versions/index.js';
import { requestRun, translation } from './translation.js';
import { ofSource, translations } from './translations.js';

/** The command of the timers that have changed spaces translated. */
export const translateChangesCommand = 'translate_changes';

const Changed = z.object({ organization: z.string(), space: z.string() });

/** Changes of a space wait for others, `waitMs`, so that ten merges are one run. */
export function changedSourcesReactor(context: ServiceContext, waitMs: number): Reactor {
  return reactor({
    name: 'translations_of_changed_spaces',
    entities: ['branch'],
    events: [branchEvents.pick('RevisionCreated')],
    from: 'now',
    react: async ({ entityId: branch, data: { space }, meta: { organization } }, store) => {
      if (branch !== space || organization == null) return;
      await schedule(store, { organization, space }, context.now() + waitMs);
    },
  });
}

/** A translation goes on when its source is there again. */
export const restoredSourcesReactor: Reactor = reactor({
  name: 'translations_of_restored_spaces',
  entities: ['library'],
  events: [libraryEvents.pick('SpaceRestored')],
  from: 'now',
  react: async ({ entityId: organization, data: { space } }, store) =>
    requestRuns(store.in(organization), organization, space),
});

async function schedule(store: StoreScope, data: z.output<typeof Changed>, at: number): Promise<void> {
  const inside = store.in(data.organization);
  const { all } = await inside.load(translations, data.organization);
  if (![...all.values()].some(({ source }) => source === data.space)) return;
  await inside.schedule({ id: `${translateChangesCommand}:${data.space}`, at, command: translateChangesCommand, data });
}

export function translateChangesTimer(): TimerHandler {
  return async ({ data }, store) => {
    const changed = Changed.safeParse(data);
    if (!changed.success) throw new AppError('unexpected', [], { message: 'The timer names no space' });
    const { organization, space } = changed.data;
    await requestRuns(store.in(organization), organization, space);
  };
}

async function requestRuns(store: StoreScope, organization: string, space: string): Promise<void> {
  const known = await store.load(translations, organization);
  for (const id of ofSource(known, space))
    await store.handle(translation, id, (state) => (state.isEnded ? [] : requestRun(state, { cause: 'source' })));
}
