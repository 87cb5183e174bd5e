import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { sortKey } from '../organization-read-models/index.js';
import { type TeamEvent, teamEvents } from '../events/index.js';

export interface TeamDocument {
  organization: string;
  title: string;
  titleKey: string;
  createdAt: string;
  members: number;
}

function evolve(doc: TeamDocument | null, event: Recorded<TeamEvent>): TeamDocument | null {
  if (event.type === 'TeamCreated') {
    const { organization, title } = event.data;
    return { organization, title, titleKey: sortKey(title), createdAt: event.meta.time, members: 0 };
  }
  if (doc === null) return null;
  switch (event.type) {
    case 'TeamRenamed':
      return { ...doc, title: event.data.title, titleKey: sortKey(event.data.title) };
    case 'TeamMemberAdded':
      return { ...doc, members: doc.members + 1 };
    case 'TeamMemberRemoved':
      return { ...doc, members: doc.members - 1 };
    case 'TeamMemberRoleChanged':
      return doc;
    case 'TeamDeleted':
      return null;
  }
}

export const teams = projection({
  name: 'team',
  version: 3,
  entities: ['identity.team'],
  events: [teamEvents],
  history: { of: 'identity.team' },
  // `_at`: replicas query for changes since their last query.
  indexes: [{ key: { organization: 1, titleKey: 1, _id: 1 } }, { key: { _at: 1 } }],
  id: (event) => event.entityId,
  evolve,
});
