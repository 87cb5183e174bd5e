import { defineDomain } from '@scriptorium/platform';
import { MergingController } from './merging.controller.js';
import { begunReactor, settleCommand, settleTimer } from './settle.timer.js';

/** Change requests and the content of their spaces: bringing them up to date, and merging them. */
export const merging = defineDomain({
  name: 'merging',
  controllers: [MergingController],
  reactors: () => [begunReactor],
  timers: ({ context }) => ({ [settleCommand]: settleTimer(context) }),
});
