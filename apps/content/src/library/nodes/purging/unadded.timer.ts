import { keyedGet, type StoreScope, type TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import type { ContentObjects } from '../../../versions/index.js';
import { library, nodeIn } from '../library.js';
import { purgeNext } from './purge.run.js';

/** The command of the timers that remove what was created and never added to a library. */
export const unaddedCommand = 'drop_unadded';

/** Longer than any request that creates something takes, ms. */
const afterMs = 3_600_000;

const Created = z.object({ organization: z.string(), id: z.string(), kind: z.enum(['space', 'collection']) });

/**
 * Looks after something whose stream has begun. The request that creates it may end before the library has it: then
 * nobody sees it, and it is removed an hour later. That of a library that was closed meanwhile is removed at once.
 */
export async function lookAfterNew(
  store: StoreScope,
  objects: ContentObjects,
  created: z.input<typeof Created>,
  time: string,
): Promise<void> {
  const { organization, id } = created;
  const { state } = await store.in(organization).handle(library, organization, () => []);
  if (state.closed) await dropUnadded(store, objects, created);
  const at = Date.parse(time) + afterMs;
  await store.in(organization).schedule({ id: `${unaddedCommand}:${id}`, at, command: unaddedCommand, data: created });
}

export function unaddedTimer(objects: ContentObjects): TimerHandler {
  return ({ data }, store) => dropUnadded(store, objects, Created.parse(data));
}

async function dropUnadded(
  store: StoreScope,
  objects: ContentObjects,
  { organization, id, kind }: z.output<typeof Created>,
): Promise<void> {
  // A repeated request may add it at this very moment: then it stays. So does what was transferred.
  await purgeNext(store.in(organization), objects, organization, {
    choose: (state) =>
      nodeIn(state, id) === undefined && keyedGet(state.left, id) === undefined ? [{ id, kind }] : [],
  });
}
