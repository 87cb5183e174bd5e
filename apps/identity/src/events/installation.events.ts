import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

export const installationEvents = defineEvents({
  InstallationClaimed: z.object({ user: z.string(), organization: z.string(), token: z.string() }),
  /** An operator is about to be erased. */
  OperatorLeft: z.object({ user: z.string() }),
  /** Erasing them was refused after they had left. */
  OperatorStayed: z.object({ user: z.string() }),
});
export type InstallationEvent = EventOf<typeof installationEvents>;
