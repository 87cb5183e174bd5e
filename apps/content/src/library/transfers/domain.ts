import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { transfersAccess } from './access.js';
import { transferHandler } from './transfer.run.js';
import { TransfersController } from './transfers.controller.js';
import { transfersReactor } from './transfers.reactor.js';

/** Spaces and collections that go to other organizations. */
export const transfers = defineDomain({
  name: 'transfers',
  controllers: [TransfersController],
  reactors: () => [transfersReactor],
  resolvers: ({ use }) => transfersAccess(use(ServiceAccess)),
  runs: ({ context, use }) => [transferHandler(context, use(ContentObjects))],
});
