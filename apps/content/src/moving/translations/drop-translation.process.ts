import type { Scope } from '@scriptorium/platform';
import { dropInstructions } from './texts/instructions.operational.js';
import { dropWork } from './runs/run-work.operational.js';
import { dropMemory } from './texts/segment-memory.operational.js';
import { dropSegments } from './segments/page-segments.operational.js';
import { dropAllPins } from './segments/pins.operational.js';

/** Removes what is kept of a translation outside of the log: its texts, and what people have written. */
export async function dropTranslation(scope: Pick<Scope, 'database' | 'now'>, translation: string): Promise<void> {
  await dropWork(scope, { translation });
  await dropMemory(scope, translation);
  await dropSegments(scope, translation);
  await dropAllPins(scope, translation);
  await dropInstructions(scope, translation);
}
