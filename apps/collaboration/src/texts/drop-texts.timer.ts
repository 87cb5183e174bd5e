import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import * as z from 'zod';
import { dropTexts, type TextGroup } from './texts.operational.js';

/** The command of the timers that delete texts. */
export const dropTextsCommand = 'drop_texts';

/**
 * How long (ms) after their end texts are deleted: longer than a request may take that stores one more, and than read
 * models may name the one before.
 */
const afterMs = 60_000;

const Group = z.object({ space: z.string(), owner: z.string().optional(), text: z.string().optional() });

/** Has texts deleted that nothing names any more since `time`. */
export async function scheduleDrop(store: StoreScope, group: TextGroup, time: string): Promise<void> {
  const { space, owner = '', text = '' } = group;
  const id = `${dropTextsCommand}:${space}/${owner}/${text}`;
  await store.schedule({ id, at: Date.parse(time) + afterMs, command: dropTextsCommand, data: group });
}

export function dropTextsTimer(scope: Pick<Scope, 'database'>): TimerHandler {
  return async ({ data }) => {
    const { success, data: group } = Group.safeParse(data);
    if (!success) throw new AppError('unexpected', [], { message: 'The timer does not name texts' });
    const { space, owner, text } = group;
    await dropTexts(scope, {
      space,
      ...(owner === undefined ? {} : { owner }),
      ...(text === undefined ? {} : { text }),
    });
  };
}
