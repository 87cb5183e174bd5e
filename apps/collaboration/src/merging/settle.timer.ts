import { AppError, readBranch } from '@scriptorium/contracts';
import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { ask, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { changeRequest, isPresent, settle } from '../change-requests/index.js';
import { branchEvents, changeRequestEvents } from '../events/index.js';
import { finishMerge } from './merge-request.process.js';

/** The command of the timers that finish merges and reopenings whose process did not. */
export const settleCommand = 'settle_change_request';

/** Longer than any request that merges takes, ms. */
const afterMs = 90_000;

const Begun = z.object({ space: z.string(), id: z.string(), attempt: z.string(), by: z.string() });

/** A merge or reopening that has begun is looked after: when its process breaks off, a timer finishes it. */
export const begunReactor: Reactor = reactor({
  name: 'merges_and_reopenings',
  entities: ['request', 'content.branch'],
  events: [changeRequestEvents.pick('ChangeRequestMergeBegan'), branchEvents.pick('BranchReopened')],
  react: async ({ entityId: id, meta: { actor, time }, ...event }, store) => {
    const attempt = event.type === 'BranchReopened' ? 'reopened' : event.data.attempt;
    const data: z.input<typeof Begun> = { space: event.data.space, id, attempt, by: actor.id };
    const at = Date.parse(time) + afterMs;
    await store.schedule({ id: `${settleCommand}:${id}:${attempt}`, at, command: settleCommand, data });
  },
});

/** Finishes a merge that is still under way; otherwise takes over from content whether the change request is merged. */
export function settleTimer(context: Pick<ServiceContext, 'scope'>): TimerHandler {
  return async ({ data }, store) => {
    const { space, id, attempt, by } = Begun.parse(data);
    const scope = context.scope(store);
    const seen = await store.load(changeRequest, id);
    if (!isPresent(seen)) return;
    try {
      if (seen.merging !== null) return void (await finishMerge(scope, { space, id }, seen.merging));
      const { merged = null } = await ask(scope, readBranch, { space, branch: id });
      await store
        .within({ space, changeRequest: id })
        .handle(changeRequest, id, (state) => settle(state, { seen, merged, attempt: { id: attempt, by } }));
    } catch (error) {
      // Its space is deleted: nothing is merged there.
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    }
  };
}
