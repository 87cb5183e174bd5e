import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { organizationEvents, provisioningEvents } from '../../events/index.js';

export interface SCIMTokenDocument {
  organization: string;
  label: string;
  createdAt: string;
  expiresAt?: string | undefined;
}

const tokenEvents = provisioningEvents.pick('SCIMTokenCreated', 'SCIMTokenRevoked');
const deletion = organizationEvents.pick('OrganizationDeleted');

function writes(event: Recorded<EventOf<typeof tokenEvents> | EventOf<typeof deletion>>): Write<SCIMTokenDocument>[] {
  switch (event.type) {
    case 'SCIMTokenCreated': {
      const { token, label, expiresAt } = event.data;
      const doc = { organization: event.entityId, label, createdAt: event.meta.time };
      return [{ put: token, doc: expiresAt === undefined ? doc : { ...doc, expiresAt } }];
    }
    case 'SCIMTokenRevoked':
      return [{ remove: event.data.token }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: event.entityId } }];
  }
}

/** SCIM tokens as they are listed. Their hashes are in the log alone, from which each is checked. */
export const scimTokens = projection({
  name: 'scim_token',
  version: 1,
  entities: ['identity.provisioning', 'identity.organization'],
  events: [tokenEvents, deletion],
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes,
});
