import { knownTeams, memberships, membershipKey } from '@scriptorium/access';
import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { siteEvents, site, sites } from '../model/index.js';
import { drop, type Holder } from './grants.js';

/** Grants end with the membership or the team that they were given to. */
export const grantReactors: readonly Reactor[] = [
  reactor({
    name: 'site_grants_of_removed_members',
    entities: ['identity.roster'],
    events: [defineEvents(rosterEventSchemas).pick('MemberRemoved')],
    react: async ({ entityId: organization, position, data: { user, membership } }, store) => {
      await waitForProjections({ store }, { position, type: 'SiteUserGrantGiven' }, [sites]);
      await dropEverywhere(store.in(organization), { organization, 'grants.users.user': user }, { user, membership });
    },
  }),
  reactor({
    name: 'site_grants_of_deleted_teams',
    entities: ['identity.team'],
    events: [defineEvents(teamEventSchemas).pick('TeamDeleted')],
    react: async ({ entityId: team, position, meta }, store) => {
      await waitForProjections({ store }, { position, type: 'SiteTeamGrantGiven' }, [sites]);
      await dropEverywhere(store.in(meta.organization ?? ''), { 'grants.teams.team': team }, { team });
    },
  }),
  // What was granted at the moment in which the member left, or the team was deleted.
  reactor({
    name: 'late_site_grants',
    entities: ['site'],
    events: [siteEvents.pick('SiteUserGrantGiven', 'SiteTeamGrantGiven')],
    react: async ({ entityId: id, position, data: to, meta }, store) => {
      const organization = meta.organization ?? '';
      const type = 'team' in to ? 'TeamDeleted' : 'MemberRemoved';
      await waitForProjections({ store }, { position, type }, ['team' in to ? knownTeams : memberships]);
      if (!(await isThere(store, organization, to)))
        await store
          .in(organization)
          .within({ site: id })
          .handle(site, id, (state) => drop(state, to));
    },
  }),
];

async function isThere(store: StoreScope, organization: string, to: Holder): Promise<boolean> {
  if ('team' in to) return (await store.read(knownTeams).byId(to.team)) !== null;
  const member = await store.read(memberships).byId(membershipKey(organization, to.user));
  return member?.membership === to.membership;
}

async function dropEverywhere(store: StoreScope, filter: Record<string, string>, holder: Holder): Promise<void> {
  const found = await store
    .read(sites)
    .find(filter, { projection: { _id: 1 } })
    .toArray();
  for (const { _id: id } of found)
    await store
      .within({ site: id })
      .step(id)
      .handle(site, id, (state) => drop(state, holder));
}
