import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropOldTexts, youngMs } from './glossary-texts.operational.js';
import { glossary } from './glossary.js';

/** The command of the timers that drop what entries said before a change. */
export const dropGlossaryTextsCommand = 'drop_glossary_texts';

const Change = z.object({ organization: z.string(), entries: z.array(z.string()), text: z.string() });

/** Has what entries said before a change dropped, when nothing uses it any more. */
export async function scheduleDrop(store: StoreScope, data: z.output<typeof Change>, time: string): Promise<void> {
  const id = `${dropGlossaryTextsCommand}:${data.text}`;
  await store.schedule({ id, at: Date.parse(time) + 2 * youngMs, command: dropGlossaryTextsCommand, data });
}

export function dropGlossaryTextsTimer(context: ServiceContext): TimerHandler {
  return async ({ data }, store) => {
    const change = Change.safeParse(data);
    if (!change.success) throw new AppError('unexpected', [], { message: 'The timer names no entries' });
    const { organization, entries } = change.data;
    const { terms } = await store.load(glossary, organization);
    await dropOldTexts(context, organization, entries, terms);
    await context.idempotency.forget();
  };
}
