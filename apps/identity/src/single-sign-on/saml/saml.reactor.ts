import { keyedGet, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { rosterEvents } from '../../events/index.js';
import { memberOf, roster } from '../../organizations/index.js';
import { sso } from '../providers/sso.js';
import { joinDefaultTeam } from './complete-sign-in.process.js';

/**
 * Adds members who joined through a provider to its default team, also when the process that signed them in stopped
 * halfway.
 */
export function defaultTeamReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'default_team_of_arrivals',
    version: 1,
    from: 'now',
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberJoined')],
    async react({ entityId, data: { user, membership, via } }, store) {
      if (via !== 'saml') return;
      const member = memberOf(await store.load(roster, entityId), user);
      const [provider] = member?.membership === membership ? Object.keys(member.identities) : [];
      if (provider === undefined) return;
      const { providers } = await store.load(sso, entityId);
      await joinDefaultTeam(context.scope(store), keyedGet(providers, provider)?.defaultTeam ?? null, {
        user,
        membership,
      });
    },
  });
}
