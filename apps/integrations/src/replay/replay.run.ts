import type { ServiceAccess } from '@scriptorium/access';
import { installationReach } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { causesIn, countQueued, outbox, type Planner } from '../outbox/index.js';
import { webhooks } from '../webhooks/index.js';
import { deliverAgain } from './deliver-again.process.js';
import { plannedAgain } from './planned-again.process.js';
import { findReceiver, receiverKinds } from './receiver.queries.js';

/** Delivers to one receiver again what has happened. */
export const replayRun = defineRun({
  kind: 'replay_deliveries',
  input: z.object({
    receiver: z.object({ kind: z.enum(receiverKinds), id: z.string() }),
    /** ISO 8601. */
    from: z.string(),
    to: z.string(),
    /** The positions in the log behind which that has begun, and up to which it is. */
    after: z.int(),
    through: z.int(),
    types: z.array(z.string()),
  }),
  /** Everything up to an event, by its position and id, is queued, and of what follows all up to a delivery. */
  state: z.object({
    position: z.int(),
    id: z.string(),
    delivery: z.object({ _id: z.string(), position: z.int(), rank: z.int() }).optional(),
    done: z.int(),
  }),
  begin: ({ after }) => ({ position: after, id: '', done: 0 }),
});

const deliveriesPerStep = 20;
/** The least time for one delivery, ms. */
const eachMs = 50;
const eventsPerStep = 200;
/** The most that may wait for a receiver before more is queued, and the part of what may wait at all. */
const mostWaiting = { count: 1_000, part: 0.5 };
const waitMs = 2_000;

export interface ReplayParts {
  context: ServiceContext;
  access: ServiceAccess;
  planner: Planner;
}

export function replayHandler(parts: ReplayParts): RunHandler {
  const { context, planner } = parts;
  return runHandler(replayRun, {
    async step(state, store, { id: run, input: { receiver: asked, types, ...period } }) {
      requireLive(store, [outbox, installationReach, webhooks]);
      const { done } = state;
      const receiver = await findReceiver(store, asked);
      if (receiver instanceof AppError) return { failed: receiver };
      const most = Math.min(mostWaiting.count, Math.floor(planner.mostQueued * mostWaiting.part));
      if ((await countQueued(context, receiver.queue, most)) >= most)
        return { next: state, progress: { done }, afterMs: waitMs };
      const [behind, limit] = [{ position: state.position, id: state.id }, deliveriesPerStep];
      const found = await causesIn(store, receiver.organization, { ...period, behind, limit: eventsPerStep });
      const { events, planned } = await plannedAgain(parts, store, { events: found, receiver, types, limit });
      const last = events.at(-1);
      if (last === undefined) return { done: null, progress: { done } };
      const positions = events.map(({ position }) => position);
      const again = { queue: receiver.queue, positions, types, run, after: state.delivery, limit };
      const { count, more } = await deliverAgain(context, planned, again);
      const [progress, afterMs] = [{ done: done + count }, count * eachMs];
      if (more !== undefined) return { next: { ...state, delivery: more, ...progress }, progress, afterMs };
      return { next: { position: last.position, id: last._id, ...progress }, progress, afterMs };
    },
  });
}
