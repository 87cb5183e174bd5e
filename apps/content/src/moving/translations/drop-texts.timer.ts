import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropTranslation } from './drop-translation.process.js';
import { dropInstructions } from './texts/instructions.operational.js';
import { releaseResult } from './release-result.process.js';
import { translation } from './translation.js';

/** The command of the timers that drop what a translation does not use any more. */
export const dropTranslationTextsCommand = 'drop_translation_texts';

/** How long (ms) no request and no step of a run can be under way any more that has begun before. */
const afterMs = 300_000;

const Named = z.object({ translation: z.string() });

/** Has texts of a translation dropped that are not used since `time`: those of before, or all when it has ended. */
export async function scheduleDrop(store: StoreScope, id: string, time: string): Promise<void> {
  await store.schedule({
    id: `${dropTranslationTextsCommand}:${id}`,
    at: Date.parse(time) + afterMs,
    command: dropTranslationTextsCommand,
    data: { translation: id },
  });
}

export function dropTranslationTextsTimer(context: ServiceContext): TimerHandler {
  return async ({ data }, store) => {
    const named = Named.safeParse(data);
    if (!named.success) throw new AppError('unexpected', [], { message: 'The timer names no translation' });
    const { translation: id } = named.data;
    const { isEnded, requests, instructions } = await store.load(translation, id);
    // The stream of a translation goes with its organization.
    if (isEnded || requests === 0) {
      // A run that was under way may have made it after the translation ended.
      await releaseResult(store, id);
      await dropTranslation(context, id);
    } else await dropInstructions(context, id, { name: instructions });
    // Answers that are kept for repeated requests show them.
    await context.idempotency.forget();
  };
}
