import * as z from 'zod';
import { Id } from '../kernel/common.js';
import type { IntegrationScope } from '../kernel/integration-scopes.js';
import { internalOperation } from '../kernel/operation.js';

/** Bounds of what integrations are told of a visitor. What is longer is cut, and more cookies are left out. */
export const visitBounds = {
  /** Characters of the id of a visitor. */
  id: 128,
  /** Characters of an address. */
  url: 2_048,
  /** Characters of the name of a browser. */
  userAgent: 512,
  /** Characters of the address of a machine, and of a language. */
  short: 64,
  /** Characters of all cookies, with their names. */
  cookies: 4_096,
  /** Characters of a comment. */
  comment: 512,
  /** Of one message. */
  visits: 50,
} as const;

export const feedbackRatings = ['bad', 'ok', 'good'] as const;

const text = (most: number) => z.string().max(most);
const visit = {
  organization: Id,
  site: Id,
  siteSpace: Id.optional(),
  space: Id.optional(),
  page: Id.optional(),
  visitor: z.object({
    anonymousId: text(visitBounds.id),
    cookies: z.record(z.string(), z.string()),
    userAgent: text(visitBounds.userAgent),
    ip: text(visitBounds.short),
    language: text(visitBounds.short).optional(),
  }),
  url: text(visitBounds.url),
  referrer: text(visitBounds.url),
};

/** A visitor has seen a page of a site, or rated it. */
export const Visit = z.discriminatedUnion('type', [
  z.object({ type: z.literal('site_view'), ...visit }),
  z.object({
    type: z.literal('page_feedback'),
    ...visit,
    feedback: z.object({
      rating: z.enum(feedbackRatings),
      comment: z.string().min(1).max(visitBounds.comment).optional(),
    }),
  }),
]);
export type Visit = z.output<typeof Visit>;

/** The scopes that installations need to be told what visitors do. */
export const visitScopes: Readonly<Record<Visit['type'], IntegrationScope>> = {
  site_view: 'site:views:read',
  page_feedback: 'page:feedback:read',
};

/**
 * Tells integrations what visitors do. Each visit is told at most once: none is stored, and what cannot be told soon is
 * dropped.
 */
export const announceVisits = internalOperation({
  id: 'announceVisits',
  service: 'integrations',
  deadlineMs: 2_000,
  input: z.object({ visits: z.array(Visit).max(visitBounds.visits) }),
  response: z.object({}),
});
