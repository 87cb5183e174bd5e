import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { importKeptMs } from './import.run.js';
import { dropImports } from '../imports.operational.js';

/** The command of the timers that remove what is kept of imports. */
export const forgetImportCommand = 'forget_import';

const Ended = z.object({ import: z.string() });

export async function scheduleForgetting(store: StoreScope, id: string, now: number): Promise<void> {
  const data: z.input<typeof Ended> = { import: id };
  await store.schedule({
    id: `${forgetImportCommand}:${id}`,
    at: now + importKeptMs,
    command: forgetImportCommand,
    data,
  });
}

export function forgetImportTimer(context: ServiceContext): TimerHandler {
  return async ({ data }) => {
    const ended = Ended.safeParse(data);
    if (!ended.success) throw new AppError('unexpected', [], { message: 'The timer names no import' });
    await dropImports(context, { _id: ended.data.import });
  };
}
