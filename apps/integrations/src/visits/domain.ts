import { defineDomain } from '@scriptorium/platform';
import { CallScript } from '../dispatch/index.js';
import { VisitSender } from './visit-sender.process.js';
import { VisitsController } from './visits.controller.js';

/** What visitors of sites do, of which scripts are told. */
export const visits = defineDomain({
  name: 'visits',
  controllers: [VisitsController],
  objects: ({ context, use }) => [new VisitSender(use(CallScript), context.registry)],
});
