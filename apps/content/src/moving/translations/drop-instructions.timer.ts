import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropInstructions, youngMs } from './instructions.operational.js';
import { translation } from './translation.js';

/** The command of the timers that drop instructions which were replaced. */
export const dropInstructionsCommand = 'drop_translation_instructions';

const Replaced = z.object({ translation: z.string() });

/** Has replaced instructions dropped, when nothing uses them any more. */
export async function scheduleDrop(store: StoreScope, id: string, time: string): Promise<void> {
  await store.schedule({
    id: `${dropInstructionsCommand}:${id}`,
    at: Date.parse(time) + 2 * youngMs,
    command: dropInstructionsCommand,
    data: { translation: id },
  });
}

export function dropInstructionsTimer(context: ServiceContext): TimerHandler {
  return async ({ data }, store) => {
    const replaced = Replaced.safeParse(data);
    if (!replaced.success) throw new AppError('unexpected', [], { message: 'The timer names no translation' });
    const { translation: id } = replaced.data;
    const { instructions } = await store.load(translation, id);
    await dropInstructions(context, id, { name: instructions });
    // Answers that are kept for repeated requests show them.
    await context.scope(store).forgetAnswers();
  };
}
