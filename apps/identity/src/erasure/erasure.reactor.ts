import { AppError } from '@scriptorium/contracts';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { rosterEvents } from '../members/roster.events.js';
import { dismiss } from '../members/dismissal.js';
import { roster } from '../members/roster.js';
import { erasePerson, stayOperator } from './erase-person.process.js';
import { erasureEvents } from './erasure.events.js';
import { erasure } from './erasure.js';
import { forgetErased } from './forget-erased.process.js';

/** Takes up what the one who began to erase a person could not finish. */
export function erasuresReactor(service: ServiceContext): Reactor {
  return reactor({
    name: 'erased_people',
    version: 1,
    entities: ['identity.erasure'],
    events: [erasureEvents.pick('UserErasureBegan', 'UserErasureRefused', 'UserErased')],
    async react(event, { context }) {
      const user = event.entityId;
      if (event.type === 'UserErased') await forgetErased(service, { user, position: event.position }, context);
      else if (event.type === 'UserErasureRefused') await stayOperator(service, user, context);
      else if (await isUnderWay(service, user)) await eraseUnlessRefused(service, user, () => erasePerson(service, user, context));
    },
  });
}

/** Ends a membership that began at the moment in which the person was erased. */
export function lateMembersReactor(service: ServiceContext): Reactor {
  return reactor({
    name: 'members_who_are_erased',
    version: 1,
    from: 'now',
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberJoined')],
    async react({ entityId, data: { user } }, reaction) {
      if ((await service.store.load(erasure, user)).status === 'erased') await reaction.handle(roster, entityId, (state) => dismiss(state, { user }));
    },
  });
}

async function isUnderWay({ store }: ServiceContext, user: string): Promise<boolean> {
  return (await store.load(erasure, user)).status === 'begun';
}

/** A refusal is recorded, and there is nobody to be told of it. */
async function eraseUnlessRefused(service: ServiceContext, user: string, erase: () => Promise<unknown>): Promise<void> {
  try {
    await erase();
  } catch (error) {
    if (!(error instanceof AppError) || (await isUnderWay(service, user))) throw error;
  }
}
