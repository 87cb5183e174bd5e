import { AppError, type SiteInsight } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;
export type Metric = 'views' | 'searches' | 'feedback';

/** How often something happened on a day. It says nothing of who did it. */
interface InsightDocument {
  /** `<site>:<metric>:<day>:<space>:<page>`: pages of duplicated spaces have the same ids. */
  _id: string;
  site: string;
  metric: Metric;
  day: string;
  page: string | null;
  space: string | null;
  count: number;
  positive: number;
  negative: number;
}

/** Something that happened, once. */
export interface Happened {
  metric: Metric;
  page?: string | undefined;
  space?: string | undefined;
  rating?: 'bad' | 'ok' | 'good' | undefined;
}

export const insightIndexes = {
  op_insights: [
    { key: { site: 1, metric: 1, day: 1 }, name: 'site_metric_day' },
    // By this what is too old is found.
    { key: { day: 1 }, name: 'day' },
  ],
} as const;

/** Days for which counters are kept: a year can be compared with the one before up to a month later. */
export const keptDays = 400;
export const dayMs = 24 * 3_600_000;

/** The day of a moment (ms since 1970), in UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Entries of one answer. */
const mostEntries = 1_000;

function insights({ database }: Within): Collection<InsightDocument> {
  return database.collection<InsightDocument>('op_insights');
}

/** Counts what happened at a moment (ms since 1970). */
export async function count(scope: Within, site: string, happened: readonly Happened[], now: number): Promise<void> {
  const day = dayOf(now);
  if (happened.length === 0) return;
  const updates = happened.map(({ metric, page = null, space = null, rating }) => ({
    updateOne: {
      filter: { _id: [site, metric, day, space ?? '', page ?? ''].join(':') },
      update: {
        $setOnInsert: { site, metric, day, page, space },
        $inc: { count: 1, positive: Number(rating === 'good'), negative: Number(rating === 'bad') },
      },
      upsert: true,
    },
  }));
  await insights(scope).bulkWrite(updates, { ordered: false });
}

/** What somebody asks for. */
interface Asked {
  metric: Metric;
  from: string;
  to: string;
  by: 'day' | 'page';
  /** The time that it may take. */
  withinMs: number;
}

/**
 * What was counted between two days, both included: by day, or by page with the most frequent ones first.
 * @throws AppError `unavailable` when it takes too long
 */
export async function listInsights(
  scope: Within,
  site: string,
  { metric, from, to, by, withinMs }: Asked,
): Promise<SiteInsight[]> {
  const key = by === 'day' ? { day: '$day' } : { page: '$page', space: '$space' };
  const sum = (field: string) => ({ $sum: `$${field}` });
  const found = await insights(scope)
    .aggregate<{ _id: { day?: string; page?: string | null; space?: string | null } } & Sums>(
      [
        { $match: { site, metric, day: { $gte: from, $lte: to } } },
        { $group: { _id: key, count: sum('count'), positive: sum('positive'), negative: sum('negative') } },
        { $sort: by === 'day' ? { '_id.day': 1 } : { count: -1, '_id.page': 1 } },
        { $limit: mostEntries },
      ],
      { maxTimeMS: withinMs },
    )
    .toArray()
    .catch(unlessTooSlow);
  return found.map(({ _id: { day, page, space }, count: total, positive, negative }) => ({
    ...(day === undefined ? {} : { date: day }),
    ...(page == null ? {} : { page }),
    ...(space == null ? {} : { space }),
    count: total,
    ...(metric === 'feedback' ? { positive, negative } : {}),
  }));
}

const maxTimeExpired = 50;

function unlessTooSlow(error: unknown): never {
  if ((error as { code?: unknown }).code !== maxTimeExpired) throw error;
  const message = 'It takes too long to add up what was counted in these days; ask for fewer of them';
  throw new AppError('unavailable', [], { message, retryAfter: 1 });
}

interface Sums {
  count: number;
  positive: number;
  negative: number;
}

/** Removes what was counted of a site. */
export async function dropInsights(scope: Within, site: string): Promise<void> {
  await insights(scope).deleteMany({ site });
}

/** Removes what was counted too long before a moment (ms since 1970). */
export async function dropOldInsights(scope: Within, now: number): Promise<void> {
  await insights(scope).deleteMany({ day: { $lt: dayOf(now - keptDays * dayMs) } });
}
