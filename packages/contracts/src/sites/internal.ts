import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { embedBatch } from '../kernel/embed.js';
import { internalOperation } from '../kernel/operation.js';
import { ContentTokenPayload } from '../kernel/visitor.js';
import { Site } from './structure/site.js';

/**
 * Whether a content token still holds: the gateway has verified that it was issued here and has not ended. `spaces`:
 * those that it opens now, as the site is at the moment; `null` when it opens nothing any more.
 */
export const authenticateContentToken = internalOperation({
  id: 'authenticateContentToken',
  service: 'sites',
  input: ContentTokenPayload.omit({ spaces: true }),
  response: z.object({ spaces: z.array(Id).nullable() }),
});

/**
 * What announcements of sites name besides organizations: what members of one may view has changed, and with it what
 * their previews open.
 */
export function previewsOf(organization: string): string {
  return `previews:${organization}`;
}

/**
 * A token with which a member is a visitor of a site of their organization, for an hour; none for a site that does not
 * ask who its visitors are. `role`: that of the member in the organization; `null` for a guest.
 */
export const issueMemberVisitorToken = internalOperation({
  id: 'issueMemberVisitorToken',
  service: 'sites',
  deadlineMs: 1_500,
  input: z.object({ organization: Id, site: Id, user: Id, role: z.string().nullable() }),
  response: z.object({ token: z.string().optional() }),
});

/**
 * Where spaces of an organization are published, on the site that shows them to most; those without an address are left
 * out. A visitor is told the addresses on the site that they read. `shareKey`: the key of a share link, for sites that
 * need one.
 */
export const locateSpacesOnSites = internalOperation({
  id: 'locateSpacesOnSites',
  service: 'sites',
  deadlineMs: 1_000,
  input: z.object({
    organization: Id,
    spaces: z.array(Id).max(1_000),
    shareKey: z.string().max(128).optional(),
  }),
  response: z.object({
    items: z.array(
      z.object({
        space: Id,
        published: z.url(),
        /** Whether search engines may list it. */
        isPublic: z.boolean(),
      }),
    ),
  }),
});

/** The spaces that stand on a site, hidden ones included. None for a site that the caller may not view. */
export const lookupSpacesOnSite = internalOperation({
  id: 'lookupSpacesOnSite',
  service: 'sites',
  input: z.object({ organization: Id, site: Id }),
  response: z.object({ spaces: z.array(Id) }),
});

/** Sites by id for responses of other services. Those that the caller may not view are left out. */
export const lookupSites = internalOperation({
  id: 'lookupSites',
  service: 'sites',
  input: z.object({ ids: z.array(Id).max(embedBatch) }),
  response: z.object({ items: z.array(Site) }),
});
