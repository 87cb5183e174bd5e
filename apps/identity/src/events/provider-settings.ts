import type { EventDataOf } from '@scriptorium/event-sourcing';
import type { SSOEvent } from './sso.events.js';

/** Settings of a SAML provider. */
export type ProviderSettings = EventDataOf<SSOEvent, 'SAMLProviderCreated'>['settings'];
