import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Planner } from '../outbox/index.js';
import { replayHandler } from './replay.run.js';
import { ReplaysController } from './replays.controller.js';

/** Events that are delivered again, on request. */
export const replay = defineDomain({
  name: 'replay',
  controllers: [ReplaysController],
  runs: ({ context, use }) => [replayHandler({ context, access: use(ServiceAccess), planner: use(Planner) })],
  indexes: { op_replays: [] },
});
