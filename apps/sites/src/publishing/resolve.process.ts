import type { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  withoutMarkdownEnd,
  type ContentTokenPayload,
  type PublishedContent,
  type PublishedRedirect,
  type VisitorType,
  type Principal,
} from '@scriptorium/contracts';
import { newId, type Call } from '@scriptorium/platform';
import { issueContentToken } from '@scriptorium/platform/content-token';
import type { Claims } from '@scriptorium/expressions';
import { createHash } from 'node:crypto';
import { siteAddress, type Publishing } from '../model/index.js';
import { authGeneration, claimsFor, findPublishingAuth, type VisitorTokenRules } from '../visitor-auth/index.js';
import { pathTo, spacesIn, type Inside } from './inside.queries.js';
import { movedTo } from './moved.process.js';
import { enterSite } from './entering/enter-site.process.js';
import { findSite } from './lookup/find-site.queries.js';
import type { FoundPlace, AddressCache } from './lookup/address-cache.process.js';
import { canonicalParts, isComplete, locationsInSite, type LocatedInSite } from './lookup/locate-in-site.js';
import { pickClaims, type UsedClaims } from './lookup/used-claims.js';
import { requireViewer } from './require-viewer.queries.js';
import { shownToVisitor } from './lookup/shown-to-visitor.queries.js';
import { unsignedClaims } from './entering/unsigned-claims.js';

/** What somebody asks for. */
export interface AskedUrl {
  url: string;
  jwtToken?: string | undefined;
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined;
  type?: VisitorType | undefined;
  /** The part of the request that has the claims. */
  field: string;
}

export interface ResolveParts {
  access: ServiceAccess;
  publishing: Publishing;
  cache: AddressCache;
  rules: VisitorTokenRules;
}

/** Spaces that a token names. The site knows all of them. */
const mostNamed = 100;

/**
 * What a published address leads to for a visitor. Read models answer: a token for a site that has just been closed to
 * somebody is of an earlier generation, and opens nothing.
 * @throws AppError `not_found` for an unknown host or site, and for what `enterSite` does not let anybody into
 */
export async function resolvePublished(
  call: Call<Principal | null>,
  parts: ResolveParts,
  asked: AskedUrl,
): Promise<PublishedContent | PublishedRedirect> {
  const { access, publishing, cache } = parts;
  const url = new URL(asked.url);
  const found = await findSite(call, cache, publishing, url);
  if (found === undefined) throw new AppError('not_found');
  const { site } = found;
  const auth = await findPublishingAuth(call, site._id);
  const entered = await enterSite(call, { found, auth, access, rules: parts.rules, url, jwtToken: asked.jwtToken });
  if ('redirect' in entered) return entered;
  const { type = 'human' } = asked;
  // Whoever makes a preview sets claims of both kinds.
  const preset = entered.draft === undefined ? {} : (entered.signed['unsigned'] as Record<string, unknown> | undefined);
  const unsigned = unsignedClaims(url.searchParams, { ...preset, ...asked.unsignedClaims });
  const claims = claimsFor(site, entered.signed, unsigned, asked.field);
  const see = () => shownToVisitor(call, access, site, { claims, type, draft: entered.draft });
  const seen =
    entered.draft === undefined ? await cache.seen(JSON.stringify([site._id, type, claims]), see) : await see();
  const generation = site.generation + authGeneration(auth);
  return leadTo(call, parts, { found, generation, entered, claims, type, seen }, url);
}

async function leadTo(
  call: Call<Principal | null>,
  parts: ResolveParts,
  inside: Inside,
  url: URL,
): Promise<PublishedContent | PublishedRedirect> {
  const { found, entered } = inside;
  // A page and its markdown are found in the same way.
  const { parts: named, isMarkdown } = withoutMarkdownEnd(entered.rest);
  const locations = locationsInSite(inside.seen, named);
  const { located, inContent } = await place(call, parts, inside, locations);
  const { path } = located;
  const base = [...entered.base, ...located.base];
  if (inContent.path !== path) {
    const moved = await movedTo(call, parts.publishing, inside, { located, path: inContent.path, isMarkdown, url });
    if (moved !== undefined) return { ...moved, site: found.site._id };
  }
  const { changeRequest, revision } = inContent;
  const isMain = changeRequest === undefined && revision === undefined;
  const { claims, seen } = inside;
  const used = isMain
    ? await parts.cache.spaceClaims.usedOn(call, found.site, { claims, spaces: spacesIn(seen) })
    : ('all' as const);
  const preview = { ...(changeRequest && { changeRequest }), ...(revision && { revision }) };
  const maker = Object.keys(preview).length === 0 ? undefined : call.principal?.id;
  const payload = tokenFor(inside, located, { ...preview, ...(maker === undefined ? {} : { draft: maker }) });
  const { spaces: _, draft: __, kind: ___, claims: ____, visitorType: _____, generation: ______, ...opened } = payload;
  return {
    ...opened,
    siteSpace: located.siteSpace.id,
    pathname: `/${path}`,
    ...(isMarkdown ? { format: 'markdown' as const } : {}),
    basePath: `${pathTo(base)}/`.replace('//', '/'),
    siteBasePath: `${pathTo(entered.base)}/`.replace('//', '/'),
    canonicalUrl: canonicalUrl(parts.publishing, inside, located, path),
    apiToken: issueContentToken(call.keys, payload, { id: newId(), now: call.now(), until: entered.until }),
    ...contextOf({ claims: inside.claims, used, type: inside.type, shareKey: entered.shareKey }),
    complete: found.isComplete && isComplete(found.site.structure, locations, located),
  };
}

/** A way to read an address, with what content says of it. */
interface Placed {
  located: LocatedInSite;
  inContent: FoundPlace;
}

/**
 * The way to read an address: the first one at which there is a page, else at which there was one, else that which
 * names most of it.
 * @throws AppError `not_found`
 */
async function place(
  call: Call<Principal | null>,
  { access, cache }: ResolveParts,
  inside: Inside,
  locations: readonly LocatedInSite[],
): Promise<Placed> {
  const { found, entered } = inside;
  const preview = locations.find((one) => one.preview !== undefined);
  // A preview of the site shows no space that its maker may not view at the moment.
  if (preview !== undefined && entered.draft === undefined)
    await requireViewer(call, access, found.site.organization, preview.siteSpace.space);
  const tried: Placed[] = [];
  for (const located of preview === undefined ? locations : [preview]) {
    const inContent = await placeInContent(call, cache, inside, located);
    if (inContent.path === located.path) return { located, inContent };
    tried.push({ located, inContent });
  }
  const [deepest] = tried.toSorted((a, b) => b.located.base.length - a.located.base.length);
  const chosen = tried.find(({ inContent }) => inContent.path !== undefined) ?? deepest;
  if (chosen === undefined) throw new AppError('not_found');
  return chosen;
}

function placeInContent(
  call: Call<Principal | null>,
  cache: AddressCache,
  { found, claims, type, seen }: Inside,
  { preview, siteSpace, path }: LocatedInSite,
): Promise<FoundPlace> {
  const { organization } = found.site;
  const reader = { type, claims, spaces: spacesIn(seen) };
  return cache.place(call, { organization, space: siteSpace.space, path, ...preview, reader });
}

function tokenFor(
  { found, generation, entered, claims, type, seen }: Inside,
  { section, siteSpace }: LocatedInSite,
  preview: Pick<ContentTokenPayload, 'changeRequest' | 'revision' | 'draft'>,
): ContentTokenPayload {
  const { space } = siteSpace;
  const isPreview = preview.changeRequest !== undefined || preview.revision !== undefined;
  const spaces = isPreview ? [space] : [space, ...spacesIn(seen).filter((one) => one !== space)];
  return {
    kind: 'site',
    organization: found.site.organization,
    site: found.site._id,
    ...(section === undefined ? {} : { siteSection: section.id }),
    siteSpace: siteSpace.id,
    space,
    spaces: spaces.slice(0, mostNamed),
    ...preview,
    ...(entered.shareKey === undefined ? {} : { shareKey: entered.shareKey }),
    claims: { ...claims },
    visitorType: type,
    ...(entered.draft === undefined ? {} : { draft: entered.draft }),
    generation,
  };
}

function canonicalUrl({ place }: Publishing, { found, seen }: Inside, located: LocatedInSite, path: string): string {
  const parts = canonicalParts(seen, located, path);
  return `${siteAddress(place, found.hostname, found.site)}${parts.map(encodeURIComponent).join('/')}`;
}

interface ContextParts {
  claims: Claims;
  used: UsedClaims;
  type: VisitorType;
  shareKey: string | undefined;
}

/**
 * A name for everything that the answers of pages depend on besides the page: of claims, those that the site and its
 * spaces use.
 */
function contextOf({ claims, used, type, shareKey }: ContextParts): Pick<PublishedContent, 'contextId'> {
  const picked = pickClaims(claims, used).filter(([, value]) => !isEmpty(value));
  if (picked.length === 0 && type === 'human' && shareKey === undefined) return {};
  const contextId = createHash('sha256')
    .update(JSON.stringify([shareKey, type, picked]))
    .digest('base64url');
  return { contextId: contextId.slice(0, 22) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value);
}
