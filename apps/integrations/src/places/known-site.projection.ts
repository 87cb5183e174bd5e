import type { Level } from '@scriptorium/access';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { siteDirectory, siteFacts } from './places.events.js';

/** A site as far as lists and access need it. */
export interface KnownSiteDocument {
  organization: string;
  /** Its title in lower case, by which lists are sorted. */
  title: string;
  /** Whether its organization has it: before that it is not there for anybody. */
  isAdded: boolean;
  /** What it grants. `membership`: the stay in the organization for which it was given. */
  users: { user: string; membership: string; level: Level }[];
  teams: { team: string; level: Level }[];
}

type Fact = EventOf<typeof siteFacts>;

function writes(event: Recorded<Fact | EventOf<typeof siteDirectory>>): Write<KnownSiteDocument>[] {
  switch (event.type) {
    case 'SiteCreated': {
      const { organization, title } = event.data;
      const doc = { organization, title: title.toLowerCase(), isAdded: false, users: [], teams: [] };
      return [{ put: event.entityId, doc }];
    }
    case 'SiteAdded':
      return [{ set: event.data.site, fields: { isAdded: true } }];
    case 'SiteDeleted':
      return [{ remove: event.data.site }];
    case 'SiteDirectoryClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && siteAfter(doc, event) }];
  }
}

function siteAfter(doc: KnownSiteDocument, event: Fact): KnownSiteDocument {
  const { users, teams } = doc;
  switch (event.type) {
    case 'SiteRenamed':
      return { ...doc, title: event.data.title.toLowerCase() };
    case 'SiteUserGrantGiven':
      return { ...doc, users: [...users.filter(({ user }) => user !== event.data.user), event.data] };
    case 'SiteUserGrantRemoved':
      return { ...doc, users: users.filter(({ user }) => user !== event.data.user) };
    case 'SiteTeamGrantGiven':
      return { ...doc, teams: [...teams.filter(({ team }) => team !== event.data.team), event.data] };
    case 'SiteTeamGrantRemoved':
      return { ...doc, teams: teams.filter(({ team }) => team !== event.data.team) };
    default:
      return doc;
  }
}

/** All sites with their titles, and what they grant. */
export const knownSites = projection({
  name: 'known_site',
  version: 1,
  entities: ['sites.site', 'sites.directory'],
  events: [siteFacts, siteDirectory],
  indexes: [{ key: { organization: 1 } }],
  writes,
});
