import { rosterEventSchemas } from '@scriptorium/contracts';
import { defineAggregate, defineEvents } from '@scriptorium/event-sourcing';
import type { Rig } from './rig-with-store.js';

const roster = defineAggregate({
  service: 'identity',
  entity: 'roster',
  events: defineEvents(rosterEventSchemas).pick('MemberDisabled'),
  initial: null,
  evolve: () => null,
});

/** Records that a member is disabled, for which there is no operation. It is answered before any service shows it. */
export async function disableMember({ store, organization }: Rig, user: string): Promise<void> {
  const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
  await store
    .scope({ ...context, organization }, {})
    .handle(roster, organization, () => [{ type: 'MemberDisabled' as const, data: { user } }]);
}
