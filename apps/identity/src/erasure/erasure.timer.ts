import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import type { MailFiles } from '../mail/index.js';
import { forgetCredentials } from '../authentication/index.js';

/** The command of the timers that check again for data that was written while a person was erased. */
export const recheckCommand = 'forget_erased';

/** Milliseconds that are longer than any request or mail under way takes. */
const afterMs = 60_000;

const RecheckData = z.object({ user: z.string(), mailbox: z.string() });

/**
 * Schedules another removal of stored answers, sessions and mail, for the time when all requests under way have ended.
 */
export async function scheduleRecheck({ store, now }: Scope, traces: z.input<typeof RecheckData>): Promise<void> {
  const at = now() + afterMs;
  await store.in(null).schedule({ id: `erased:${traces.user}`, at, command: recheckCommand, data: traces });
}

export function recheckHandler(context: ServiceContext, files: MailFiles): TimerHandler {
  return async ({ data }, store) => {
    const scope = context.scope(store);
    const { user, mailbox } = RecheckData.parse(data);
    await forgetCredentials(scope, user);
    await files.remove(mailbox);
    await context.idempotency.forget();
  };
}
