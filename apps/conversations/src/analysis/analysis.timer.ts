import { createHash } from 'node:crypto';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { derivedId, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { analysisRun } from './analysis.run.js';

/** The command of the timers that begin an analysis. */
export const analyseCommand = 'analyse_conversations';
/** The command of the timers that do it every night. */
export const nightCommand = 'analyse_conversations_at_night';

const [soonMs, againMs, dayMs, hourMs] = [150, 1_000, 86_400_000, 3_600_000];
/** The hour at which the night begins, UTC, and how long organizations are spread over it. */
const [nightHour, nightMs] = [3, 2 * 3_600_000];
const Data = z.object({ isNight: z.boolean() });

/** When an analysis begins that is wanted now. Those of one moment are one, and none puts another off. */
export function nextMoment(now: number): number {
  return (Math.floor(now / soonMs) + 2) * soonMs;
}

/** Has the conversations of an organization analysed in a moment. */
export async function scheduleAnalysis(
  store: StoreScope,
  organization: string,
  { now, isNight = false, afterMs }: { now: number; isNight?: boolean; afterMs?: number },
): Promise<void> {
  const moment = nextMoment(now);
  const name = isNight ? ':night' : afterMs === undefined ? `:${moment}` : '';
  await store.in(organization).schedule({
    id: `${analyseCommand}:${organization}${name}`,
    at: afterMs === undefined ? moment : now + afterMs,
    command: analyseCommand,
    data: { isNight },
  });
}

/** Begins an analysis, unless one is under way: then it looks again when that has ended. */
export function analysisTimer(context: ServiceContext): TimerHandler {
  return async ({ id, at, organization, data }, store) => {
    if (organization === null) return;
    const { isNight } = Data.parse(data);
    const isOpen = (await context.store.runs.count({ kind: analysisRun.kind, organization, open: true })) > 0;
    if (isOpen) return scheduleAnalysis(store, organization, { now: context.now(), isNight, afterMs: againMs });
    const run = { id: derivedId(id, String(at)), input: { organization, isNight } };
    await store.in(organization).requestRun(analysisRun, run);
  };
}

/** Has clusters merged, gathered and described in the next night. There is one timer for an organization. */
export async function scheduleNight(store: StoreScope, organization: string, now: number): Promise<void> {
  const today = Math.floor(now / dayMs) * dayMs + nightOf(organization);
  await store.in(organization).schedule({
    id: `${nightCommand}:${organization}`,
    at: today > now ? today : today + dayMs,
    command: nightCommand,
    data: null,
  });
}

/** When the night of an organization is, ms after midnight UTC: always the same, and spread by its id. */
export function nightOf(organization: string): number {
  const digest = createHash('sha256').update(organization).digest();
  return nightHour * hourMs + (digest.readUInt32BE() % nightMs);
}
