import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { reading, siteParams, sitePath } from '../base.js';

const base = { service: 'sites', tag: 'Insights' } as const;
const params = z.object(siteParams);

export const insightMetrics = ['views', 'searches', 'feedback'] as const;
const Metric = z.enum(insightMetrics).meta({ id: 'InsightMetric' });

/** A day in UTC. */
const Day = z.iso.date();
/** Days of one answer, at most. */
const mostDays = 366;
const dayMs = 24 * 3_600_000;

const SiteInsight = z
  .object({
    date: Day.optional().meta({ description: 'A day in UTC, when counted by day.' }),
    page: Id.optional().meta({ description: 'A page, when counted by page; absent for what is about none.' }),
    space: Id.optional().meta({ description: 'The space of the page.' }),
    count: z.int().min(0),
    positive: z.int().min(0).optional().meta({ description: 'Of feedback: how many were `good`.' }),
    negative: z.int().min(0).optional().meta({ description: 'Of feedback: how many were `bad`.' }),
  })
  .meta({ id: 'SiteInsight' });
export type SiteInsight = z.output<typeof SiteInsight>;

export const getSiteInsights = operation({
  ...base,
  id: 'getSiteInsights',
  method: 'GET',
  path: `${sitePath}/insights`,
  summary: 'Get how often a site was viewed, searched or rated, by day or by page',
  access: { ...reading, scope: 'site:insights:read' },
  params,
  query: z
    .object({
      metric: Metric,
      from: Day,
      to: Day.meta({ description: `The last day; at most ${mostDays} days in all.` }),
      by: z.enum(['day', 'page']).default('day'),
    })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'Must not be before `from`' })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < mostDays * dayMs, {
      path: ['to'],
      message: `Must be at most ${mostDays} days after \`from\``,
    }),
  response: z.object({ items: z.array(SiteInsight).max(1_000) }),
});

const event = { siteSpace: Id.optional(), space: Id.optional(), page: Id.optional() };

export const trackSiteInsights = operation({
  ...base,
  id: 'trackSiteInsights',
  method: 'POST',
  dryRun: false,
  path: `${sitePath}/insights/events`,
  summary:
    'Count what a visitor did on a site. Nothing of the visitor is kept; views and ratings of pages that they are not shown are not counted',
  access: { ...reading, tokens: ['content'] },
  params,
  body: z.object({
    events: z
      .array(
        z
          .discriminatedUnion('type', [
            z.object({ type: z.literal('page_view'), ...event }),
            z.object({ type: z.literal('page_feedback'), ...event, rating: z.enum(['bad', 'ok', 'good']) }),
          ])
          .refine(({ page, space }) => page === undefined || space !== undefined, {
            path: ['space'],
            message: 'A page is named with its space',
          }),
      )
      .min(1)
      .max(50),
  }),
});
