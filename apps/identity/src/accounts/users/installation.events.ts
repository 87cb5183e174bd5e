import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

export const installationEvents = defineEvents({
  InstallationClaimed: z.object({ user: z.string(), organization: z.string(), token: z.string() }),
  /** An operator is about to be erased. */
  OperatorLeft: z.object({ user: z.string() }),
  /** The erasure of an operator was refused after `OperatorLeft`. */
  OperatorStayed: z.object({ user: z.string() }),
});
export type InstallationEvent = EventOf<typeof installationEvents>;
