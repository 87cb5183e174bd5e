import { keyedGet, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { rosterEvents } from '../members/roster.events.js';
import { memberOf, roster } from '../members/roster.js';
import { sso } from '../sso/sso.js';
import { joinTeam } from './arrive.process.js';

/** Whoever came by a provider is in its default team, also when the process that let them in died in between. */
export function arrivalsReactor(service: ServiceContext): Reactor {
  return reactor({
    name: 'default_team_of_arrivals',
    version: 1,
    from: 'now',
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberJoined')],
    async react({ entityId, data: { user, membership, via } }, { context }) {
      if (via !== 'saml') return;
      const member = memberOf(await service.store.load(roster, entityId), user);
      const [provider] = member?.membership === membership ? Object.keys(member.identities) : [];
      if (provider === undefined) return;
      const { providers } = await service.store.load(sso, entityId);
      await joinTeam(service, keyedGet(providers, provider)?.defaultTeam ?? null, { user, membership }, context);
    },
  });
}
