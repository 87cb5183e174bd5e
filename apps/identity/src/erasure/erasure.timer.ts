import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { forgetLetters } from '../mail/outbox.office.js';
import { forgetPerson } from '../sign-in/forget-person.process.js';

/** The command of the timers that look once more for what was written while a person was erased. */
export const secondLook = 'forget_erased';

/** Longer than any request or letter that was under way takes, ms. */
const afterMs = 60_000;

const Traces = z.object({ user: z.string(), mailbox: z.string() });

/** Has traces removed once more when all that was under way has ended: an answer that is kept, a session, a letter. */
export async function arrangeSecondLook({ store, now }: ServiceContext, traces: z.input<typeof Traces>, correlation: string): Promise<void> {
  await store.timers.schedule({ id: `erased:${traces.user}`, at: now() + afterMs, command: secondLook, data: traces, organization: null, correlation });
}

export function secondLookHandler(context: ServiceContext): TimerHandler {
  return async ({ data }) => {
    const { user, mailbox } = Traces.parse(data);
    await forgetPerson(context, user);
    await forgetLetters(context, mailbox);
    await context.answers.forget();
  };
}
