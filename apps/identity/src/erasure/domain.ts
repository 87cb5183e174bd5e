import { defineDomain } from '@scriptorium/platform';
import { MailFiles } from '../mail/index.js';
import { ErasureController } from './erasure.controller.js';
import { erasuresReactor, lateMembersReactor } from './erasure.reactor.js';
import { recheckCommand, recheckHandler } from './erasure.timer.js';

/** How people are erased from the installation. */
export const erasure = defineDomain({
  name: 'erasure',
  controllers: [ErasureController],
  reactors: ({ context, use }) => [erasuresReactor(context, use(MailFiles)), lateMembersReactor],
  timers: ({ context, use }) => ({ [recheckCommand]: recheckHandler(context, use(MailFiles)) }),
});
