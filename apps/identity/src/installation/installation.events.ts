import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

export const installationEvents = defineEvents({
  InstallationClaimed: z.object({ user: z.string(), organization: z.string(), token: z.string() }),
});
export type InstallationEvent = EventOf<typeof installationEvents>;
