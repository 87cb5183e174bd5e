import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { nameOfText } from '@scriptorium/tree';
import * as z from 'zod';
import { refresh, specs } from './spec.js';

/** The command of the timers that have URLs read again. */
export const refreshSpecCommand = 'refresh_openapi_spec';

const Due = z.object({ organization: z.string(), spec: z.string() });
const minute = 60_000;
const everyMs = 360 * minute;

/** When a URL is read again. Specifications do not all meet: each has a delay of its own of up to half an hour. */
export function refreshAt(spec: string, processedAt: number): number {
  const share = Number.parseInt(nameOfText(spec).slice(0, 6), 16) / 0x1000000;
  return processedAt + everyMs + Math.floor(share * 30 * minute);
}

export async function scheduleRefresh(store: StoreScope, data: z.input<typeof Due>, now: number): Promise<void> {
  await store.schedule({
    id: `${refreshSpecCommand}:${data.spec}`,
    at: refreshAt(data.spec, now),
    command: refreshSpecCommand,
    data,
  });
}

export function refreshSpecTimer(): TimerHandler {
  return async ({ data }, store) => {
    const due = Due.safeParse(data);
    if (!due.success) throw new AppError('unexpected', [], { message: 'The timer names no specification' });
    const { organization, spec } = due.data;
    await store.in(organization).handle(specs, organization, (state) => refresh(state, spec));
  };
}
