import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import {
  organizationEvents,
  type OrganizationEvent,
  type ProvisioningEvent,
  provisioningEvents,
  type TeamEvent,
  teamEvents,
} from '../../events/index.js';

/** What an identity provider is shown of a team besides the team itself. Its id is that of the team. */
export interface ProvisionedTeamDocument {
  organization: string;
  /** The provider's id of the team. */
  externalId: string | null;
  /** Whether the team has been created: the provider's id is recorded before. */
  exists: boolean;
  /** When the team or the provider's id of it last changed. */
  modifiedAt: string;
}

type Consumed = Recorded<
  | TeamEvent
  | Extract<ProvisioningEvent, { type: 'TeamExternalIdChanged' }>
  | Extract<OrganizationEvent, { type: 'OrganizationDeleted' }>
>;

function writes(event: Consumed): Write<ProvisionedTeamDocument>[] {
  const { entityId, meta } = event;
  const modifiedAt = meta.time;
  switch (event.type) {
    case 'TeamDeleted':
      return [{ remove: entityId }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: entityId } }];
    case 'TeamExternalIdChanged': {
      const { team, externalId } = event.data;
      return [{ change: team, by: (doc) => withExternalId(doc, { organization: entityId, externalId, modifiedAt }) }];
    }
    case 'TeamCreated': {
      const { organization } = event.data;
      const by = (doc: ProvisionedTeamDocument | null) => {
        return { organization, externalId: doc?.externalId ?? null, exists: true, modifiedAt };
      };
      return [{ change: entityId, by }];
    }
    default:
      return [{ set: entityId, fields: { modifiedAt } }];
  }
}

/** The provider's id of a team that was refused or deleted is forgotten, too. */
function withExternalId(
  doc: ProvisionedTeamDocument | null,
  next: Omit<ProvisionedTeamDocument, 'exists'>,
): ProvisionedTeamDocument | null {
  const exists = doc?.exists ?? false;
  return exists || next.externalId !== null ? { ...next, exists } : null;
}

export const provisionedTeams = projection({
  name: 'provisioned_team',
  version: 1,
  entities: ['identity.team', 'identity.provisioning', 'identity.organization'],
  events: [
    teamEvents,
    provisioningEvents.pick('TeamExternalIdChanged'),
    organizationEvents.pick('OrganizationDeleted'),
  ],
  indexes: [{ key: { organization: 1, externalId: 1 } }],
  writes,
});
