import { installationEventSchemas, installationsEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const rosterEvents = defineEvents(installationsEventSchemas);
export type RosterEvent = EventOf<typeof rosterEvents>;
/** An installation as it began. */
export type Installed = EventDataOf<RosterEvent, 'IntegrationInstalled'>;
/** Why an installation has ended. */
export type EndReason = EventDataOf<RosterEvent, 'IntegrationUninstalled'>['reason'];
export const installationEvents = defineEvents(installationEventSchemas);
export type InstallationEvent = EventOf<typeof installationEvents>;
