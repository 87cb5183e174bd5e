import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../object-store/index.js';
import { lateObjectsCommand, lateObjectsTimer } from './drop-late-objects.timer.js';
import { sweepCommand, sweepHandler, sweepTimer } from './sweep-pool.run.js';
import { VerificationsController } from './verifications.controller.js';
import { verifyHandler } from './verify-content.run.js';

/**
 * Pools of objects as wholes: the content of a space is erased, what nothing names is removed, what is named is
 * verified.
 */
export const storageSweep = defineDomain({
  name: 'storage-sweep',
  controllers: [VerificationsController],
  timers: ({ use }) => ({ [sweepCommand]: sweepTimer, [lateObjectsCommand]: lateObjectsTimer(use(ContentObjects)) }),
  runs: ({ context, use }) => [sweepHandler(context, use(ContentObjects)), verifyHandler(context, use(ContentObjects))],
});
