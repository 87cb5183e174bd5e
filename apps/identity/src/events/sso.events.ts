import { ssoEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const ssoEvents = defineEvents(ssoEventSchemas);
export type SSOEvent = EventOf<typeof ssoEvents>;

/** Settings of a SAML provider. */
export type ProviderSettings = EventDataOf<SSOEvent, 'SAMLProviderCreated'>['settings'];
