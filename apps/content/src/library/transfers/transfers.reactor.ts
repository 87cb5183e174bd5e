import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { libraryEvents } from '../nodes/index.js';
import { transferRun } from './transfer.run.js';

/** A transfer comes to its end also when the request that began it breaks off. */
export const transfersReactor: Reactor = reactor({
  name: 'transfers',
  entities: ['library'],
  events: [libraryEvents.pick('TransferBegan')],
  react: async ({ entityId: from, data: { transfer, to } }, store) => {
    await store.in(from).requestRun(transferRun, { id: `transfer-${transfer}`, input: { from, to, transfer } });
  },
});
