import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { erasureEvents, rosterEvents } from '../events/index.js';
import { removeErasedMember, roster } from '../organizations/index.js';
import { erasePerson, restoreRefusedOperator } from './erase-person.process.js';
import { erasure } from '../accounts/index.js';
import type { MailFiles } from '../mail/index.js';
import { forgetErased } from './forget-erased.process.js';

/** Finishes erasures whose process stopped halfway. */
export function erasuresReactor(context: ServiceContext, files: MailFiles): Reactor {
  return reactor({
    name: 'erased_people',
    version: 1,
    entities: ['identity.erasure'],
    events: [erasureEvents.pick('UserErasureBegan', 'UserErasureRefused', 'UserErased')],
    async react(event, store) {
      const scope = context.scope(store);
      const user = event.entityId;
      if (event.type === 'UserErased')
        await forgetErased({ scope, files, answers: context.idempotency }, { user, position: event.position });
      else if (event.type === 'UserErasureRefused') await restoreRefusedOperator(scope, user);
      else if (await isUnderWay(scope, user)) await eraseUnlessRefused(scope, user);
    },
  });
}

/** Ends a membership that began while the person was being erased. */
export const lateMembersReactor: Reactor = reactor({
  name: 'members_who_are_erased',
  version: 1,
  from: 'now',
  entities: ['identity.roster'],
  events: [rosterEvents.pick('MemberJoined')],
  async react({ entityId, data: { user } }, store) {
    if ((await store.load(erasure, user)).status === 'erased')
      await store.handle(roster, entityId, (state) => removeErasedMember(state, { user }));
  },
});

async function isUnderWay({ store }: Scope, user: string): Promise<boolean> {
  return (await store.load(erasure, user)).status === 'begun';
}

/** A refused erasure has recorded its refusal, so the reactor does not fail. */
async function eraseUnlessRefused(scope: Scope, user: string): Promise<void> {
  try {
    await erasePerson(scope, user);
  } catch (error) {
    if (!(error instanceof AppError) || (await isUnderWay(scope, user))) throw error;
  }
}
