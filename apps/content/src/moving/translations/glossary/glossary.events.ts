import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const ids = z.array(z.string());

/** Stream `content.glossary-<organization>`: which terms its glossary has. What they say stands in `op_glossary`. */
export const glossaryEvents = defineEvents({
  GlossaryChanged: z.object({ inserted: ids, updated: ids, deleted: ids }),
  /** The organization was deleted. Nothing comes into the stream any more. */
  GlossaryClosed: z.object({}),
});
export type GlossaryEvent = EventOf<typeof glossaryEvents>;
