import { scimTokenEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Events of the stream `identity.provisioning-<organization>`. */
export const provisioningEvents = defineEvents({
  ...scimTokenEventSchemas,
  /** The identity provider has a name of its own for a team, or none any more. */
  TeamExternalIdChanged: z.object({ team: z.string(), externalId: z.string().nullable() }),
  /** The identity provider wants a team, which is created and gets its members after this. */
  TeamProvisioningBegan: z.object({ team: z.string(), title: z.string(), externalId: z.string().nullable() }),
  /** The team has been created as the provider wants it, or was refused. */
  TeamProvisioningEnded: z.object({ team: z.string() }),
});
export type ProvisioningEvent = EventOf<typeof provisioningEvents>;
