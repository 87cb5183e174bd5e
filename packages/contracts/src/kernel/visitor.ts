import * as z from 'zod';
import { Id } from './common.js';

/** Who reads a site: conditions can tell people from the programs that read for them. */
export const visitorTypes = ['human', 'agent'] as const;
export const VisitorType = z.enum(visitorTypes).meta({ id: 'VisitorType' });
export type VisitorType = z.output<typeof VisitorType>;

/**
 * Claims of a visitor: only what the schema of the site declares. Those that anybody can set stand under `unsigned`.
 */
export const VisitorClaims = z.record(z.string(), z.unknown());

/** Bytes of the claims in a content token, as JSON: with them the token still fits a header. */
export const mostClaimBytes = 6_000;

/** What a visitor reads, and with which claims. */
export const Visitor = z.object({
  site: Id,
  /** The spaces that are opened. Of a preview it is the one with the change request or revision. */
  spaces: z.array(Id).readonly(),
  /** Set for a preview: the content of this change request or revision is opened, and nothing else. */
  preview: z.union([z.object({ changeRequest: Id }), z.object({ revision: Id })]).optional(),
  shareKey: z.string().optional(),
  type: VisitorType,
  claims: VisitorClaims,
});
export type Visitor = z.output<typeof Visitor>;

/** What a content token says. Clients can decode it; it is valid only as long as the site says so. */
export const ContentTokenPayload = z.object({
  kind: z.literal('site'),
  organization: Id,
  site: Id,
  siteSection: Id.optional(),
  siteSpace: Id.optional(),
  /** The space that the token was made for. */
  space: Id,
  /** The first of the spaces that it opens. The site knows all of them. */
  spaces: z.array(Id).max(100),
  changeRequest: Id.optional(),
  revision: Id.optional(),
  shareKey: z.string().max(128).optional(),
  claims: VisitorClaims,
  visitorType: VisitorType,
  /**
   * Set for the preview of a site that need not be published: the member who previews it. It opens nothing that they
   * may not view.
   */
  draft: Id.optional(),
  /** The generation of the site. Tokens of earlier ones are refused. */
  generation: z.int().min(0),
});
export type ContentTokenPayload = z.output<typeof ContentTokenPayload>;
