import { AppError, type PublishedRedirect } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { type PublishingAuthState, signedClaims, type VisitorTokenRules } from '../../visitor-auth/index.js';
import { linkWithKey } from '../../share-links/index.js';
import type { FoundSite } from '../lookup/find-site.queries.js';
import { readPreview, type Preview } from './preview-token.process.js';

/** Somebody who was let into a site. */
export interface Entered {
  /** The parts of the path that name the site, with the key of a share link, and those behind them. */
  base: string[];
  rest: string[];
  shareKey: string | undefined;
  /** The claims that were proven. */
  signed: Record<string, unknown>;
  /** When what was proven ends, in seconds since 1970. */
  until: number | undefined;
  /** The member who previews the site, which need not be published. */
  draft: string | undefined;
}

/** What lets visitors in. */
export interface Door {
  found: FoundSite;
  auth: PublishingAuthState;
  rules: VisitorTokenRules;
  url: URL;
  jwtToken: string | undefined;
}

type EnterScope = Pick<Scope, 'database' | 'keys' | 'now'>;

/**
 * Lets a visitor into a site, or says where they have to go first.
 * @throws AppError `not_found` for a site that is not published, or without the key of an active share link where one
 * is needed; `visitor_auth_required` where visitors have to sign in and nobody says where
 */
export async function enterSite(scope: EnterScope, door: Door): Promise<Entered | PublishedRedirect> {
  const { found, auth, rules, url } = door;
  const { site, base, rest } = found;
  const preview = await previewAt(scope, site._id, url);
  if (preview !== undefined)
    return { base, rest, shareKey: undefined, signed: preview.claims, until: undefined, draft: preview.user };
  if (!site.published) throw new AppError('not_found');
  const entry = site.visibility === 'share-link' ? withShareKey(scope, found) : { base, rest };
  const toService = serviceRedirect(found, auth, url, entry.rest);
  if (toService !== undefined) return toService;
  const token = url.searchParams.get('jwt_token') ?? door.jwtToken;
  const signed = await signedClaims(scope, site._id, { auth, rules }, token);
  if (signed === undefined && site.visibility === 'visitor-auth') return signIn(site._id, auth, url);
  return { shareKey: undefined, ...entry, signed: signed?.claims ?? {}, until: signed?.until, draft: undefined };
}

async function previewAt(scope: EnterScope, site: string, url: URL): Promise<Preview | undefined> {
  const text = url.searchParams.get('preview');
  const preview = text === null ? undefined : await readPreview(scope.keys, text, scope.now());
  return preview?.site === site ? preview : undefined;
}

function withShareKey(scope: Pick<Scope, 'keys'>, { site, base, rest }: FoundSite) {
  const [shareKey = '', ...behind] = rest;
  if (linkWithKey(scope, { site: site._id, links: site.links }, shareKey) === undefined)
    throw new AppError('not_found');
  return { base: [...base, shareKey], rest: behind, shareKey };
}

/**
 * Where visitors sign in. They come back to `location`. @throws AppError `visitor_auth_required` when nobody says where
 */
function signIn(site: string, { fallbackURL }: PublishingAuthState, url: URL): PublishedRedirect {
  if (fallbackURL === null) throw new AppError('visitor_auth_required');
  const redirect = new URL(fallbackURL);
  redirect.searchParams.set('location', locationOf(url));
  return { target: 'external', redirect: redirect.href, site };
}

/** Path and query of an address, without what proves who the visitor is. */
function locationOf(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ['jwt_token', 'preview']) query.delete(name);
  const text = query.toString();
  return `${url.pathname}${text === '' ? '' : `?${text}`}`;
}

/** `~service/auth/login` and `logout` of a site lead to where visitors sign in and out. */
function serviceRedirect(
  { site, base }: FoundSite,
  auth: PublishingAuthState,
  url: URL,
  [service = '', kind, action]: readonly string[],
): PublishedRedirect | undefined {
  if (!['~service', '~gitbook'].includes(service) || kind !== 'auth') return undefined;
  const home = new URL(`/${base.map(encodeURIComponent).join('/')}/`, url.origin);
  if (action === 'logout')
    return auth.logoutURL === null
      ? { target: 'content', redirect: home.href, site: site._id }
      : { target: 'external', redirect: auth.logoutURL, site: site._id };
  if (action !== 'login') return undefined;
  const wanted = new URL(url.searchParams.get('location') ?? home.pathname, home);
  return signIn(site._id, auth, wanted.origin === home.origin ? wanted : home);
}
