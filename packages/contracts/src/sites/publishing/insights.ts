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

/** Events of one request. */
const mostEvents = 500;

const rating = z.enum(['bad', 'ok', 'good']);
const named = Id.nullable().optional();
const place = { siteSpace: named, space: named, page: named };
const told = (most: number) => z.string().max(most).nullish();

/** Who visits, as far as a renderer tells it. */
export interface VisitorSession {
  visitorId?: string | null | undefined;
  cookies?: Record<string, string> | null | undefined;
  ip?: string | null | undefined;
  userAgent?: string | null | undefined;
  language?: string | null | undefined;
  referrer?: string | null | undefined;
}

const Session: z.ZodType<VisitorSession, VisitorSession> = z
  .object({
    visitorId: told(256),
    cookies: z.record(z.string(), z.string()).nullish(),
    ip: told(64),
    userAgent: told(4_096),
    language: told(256),
    referrer: told(4_096),
  })
  .meta({
    description:
      'Who visits: passed on to installed integrations with the scopes `site:views:read` and `page:feedback:read`, and not stored.',
  });

/** What every event may have. Renderers tell more of it, which is not read. */
const event = {
  ...place,
  location: z
    .object({ ...place, url: told(4_096) })
    .optional()
    .meta({ description: 'Where it happened, if the event itself does not say it, and the address.' }),
  session: Session.nullish(),
};
const comment = z.string().min(1).max(512);
const isPlaced = ({ page, space }: { page?: string | null | undefined; space?: string | null | undefined }): boolean =>
  page == null || space != null;

const feedback = z.object({ rating });
const InsightEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_view'), ...event }),
    z.object({ type: z.literal('page_feedback'), ...event, rating, comment: comment.optional() }),
    z.object({ type: z.literal('page_post_feedback'), ...event, feedback }),
    z.object({ type: z.literal('page_post_feedback_comment'), ...event, feedback: feedback.extend({ comment }) }),
    z.object({ type: z.literal('search_type_query'), ...event }),
    z.object({ type: z.literal('search_open'), ...event }),
    z.object({ type: z.literal('link_click'), ...event }),
  ])
  .refine(isPlaced, { path: ['space'], message: 'A page is named with its space' });
export type InsightEvent = z.output<typeof InsightEvent>;
/** The kinds of events that are known. */
export const insightEventTypes: ReadonlySet<string> = new Set([
  ...['page_view', 'page_feedback', 'page_post_feedback', 'page_post_feedback_comment'],
  ...['search_type_query', 'search_open', 'link_click'],
]);
/** An event of a kind that is not counted here, whatever else it says. */
const OtherEvent = z.looseObject({
  type: z
    .string()
    .min(1)
    .max(100)
    // An event of a known kind was not meant for this form: what is wrong with it is said of its own.
    .regex(new RegExp(`^(?!(?:${[...insightEventTypes].join('|')})$)`), { abort: true }),
});

export const trackSiteInsights = operation({
  ...base,
  id: 'trackSiteInsights',
  method: 'POST',
  dryRun: false,
  path: `${sitePath}/insights/events`,
  summary:
    'Count what a visitor did on a site, and tell integrations of views and ratings. A rating is `page_post_feedback`; one with a comment is `page_post_feedback_comment`, which follows it, says the rating again and is told alone; `page_feedback` has both. Nothing of the visitor is kept; views and ratings of pages that they are not shown are not counted. 204 without an answer, unless there are events of unknown kinds',
  access: { ...reading, tokens: ['content'] },
  params,
  body: z.object({
    events: z
      .array(z.union([InsightEvent, OtherEvent]))
      .min(1)
      .max(mostEvents),
  }),
  bodyLimit: 1024 * 1024,
  status: 200,
  response: z
    .object({
      counted: z.int().min(0),
      skipped: z.int().min(0).meta({ description: 'Events of kinds that are not known.' }),
    })
    .optional(),
});
