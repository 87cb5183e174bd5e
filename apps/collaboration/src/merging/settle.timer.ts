import { AppError, readBranch, reopenBranch } from '@scriptorium/contracts';
import { reactor, type Reactor, type StoreScope, type TimerHandler } from '@scriptorium/event-sourcing';
import { ask, type Asking, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { changeRequest, endReopening, isPresent, settle, changeRequestEvents } from '../change-requests/index.js';
import { finishMerge } from './merge-request.process.js';

/** The command of the timers that finish merges and reopenings whose process did not. */
export const settleCommand = 'settle_change_request';

/** Longer than any request that merges takes, ms. */
const afterMs = 90_000;

const Begun = z.object({ space: z.string(), id: z.string(), attempt: z.string(), by: z.string() });

/** A merge or reopening that has begun is looked after: when its process breaks off, a timer finishes it. */
export const begunReactor: Reactor = reactor({
  name: 'merges_and_reopenings',
  entities: ['request'],
  events: [changeRequestEvents.pick('ChangeRequestMergeBegan', 'ChangeRequestReopeningBegan')],
  react: async ({ entityId: id, meta: { actor, time }, ...event }, store) => {
    const attempt = event.type === 'ChangeRequestReopeningBegan' ? 'reopened' : event.data.attempt;
    const data: z.input<typeof Begun> = { space: event.data.space, id, attempt, by: actor.id };
    const at = Date.parse(time) + afterMs;
    await store.schedule({ id: `${settleCommand}:${id}:${attempt}`, at, command: settleCommand, data });
  },
});

/** Finishes what is still under way. */
export function settleTimer(context: Pick<ServiceContext, 'scope'>): TimerHandler {
  return async ({ data }, store) => {
    try {
      await settleRequest(context.scope(store), store, Begun.parse(data));
    } catch (error) {
      // Its space is deleted: nothing is merged there.
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    }
  };
}

async function settleRequest(
  scope: Asking,
  store: StoreScope,
  { space, id, attempt, by }: z.output<typeof Begun>,
): Promise<void> {
  const seen = await store.load(changeRequest, id);
  if (!isPresent(seen)) return;
  const here = store.within({ space, changeRequest: id });
  if (seen.merging !== null) return void (await finishMerge(scope, { space, id }, seen.merging));
  if (seen.reopening !== null) {
    await ask(scope, reopenBranch, { space, branch: id });
    return void (await here.handle(changeRequest, id, endReopening));
  }
  const { merged = null } = await ask(scope, readBranch, { space, branch: id });
  await here.handle(changeRequest, id, (state) => settle(state, { seen, merged, attempt: { id: attempt, by } }));
}
