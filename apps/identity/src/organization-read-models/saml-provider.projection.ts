import { isProviderActive } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { organizationEvents, type ProviderSettings, type SSOEvent, ssoEvents } from '../events/index.js';

export interface SAMLProviderDocument extends Omit<ProviderSettings, 'certificateValid'> {
  organization: string;
  status: 'active' | 'pending';
  createdAt: string;
}

const consumed = ssoEvents.pick('SAMLProviderCreated', 'SAMLProviderConfigured', 'SAMLProviderDeleted');
const deletion = organizationEvents.pick('OrganizationDeleted');
type Consumed = Recorded<Extract<SSOEvent, { type: `SAMLProvider${string}` }> | EventOf<typeof deletion>>;

function shownSettings(all: ProviderSettings): Omit<SAMLProviderDocument, 'organization' | 'createdAt'> {
  const { certificateValid: _, ...settings } = all;
  return { ...settings, status: isProviderActive(all) ? 'active' : 'pending' };
}

function writes(event: Consumed): Write<SAMLProviderDocument>[] {
  switch (event.type) {
    case 'SAMLProviderCreated':
      return [
        {
          put: event.data.provider,
          doc: { organization: event.entityId, createdAt: event.meta.time, ...shownSettings(event.data.settings) },
        },
      ];
    case 'SAMLProviderConfigured':
      return [{ set: event.data.provider, fields: { ...shownSettings(event.data.settings) } }];
    case 'SAMLProviderDeleted':
      return [{ remove: event.data.provider }];
    case 'OrganizationDeleted':
      return [{ removeWhere: { organization: event.entityId } }];
    default:
      return [];
  }
}

export const samlProviders = projection({
  name: 'saml_provider',
  version: 2,
  entities: ['identity.sso', 'identity.organization'],
  events: [consumed, deletion],
  history: { of: 'identity.sso' },
  indexes: [{ key: { organization: 1, createdAt: 1, _id: 1 } }],
  writes,
});
