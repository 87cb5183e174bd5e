import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type PublishedRedirect } from '@scriptorium/contracts';
import type { Asking, Scope } from '@scriptorium/platform';
import {
  loginAddress,
  type PublishingAuthState,
  signedClaims,
  type VisitorTokenRules,
} from '../../visitor-auth/index.js';
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
  access: Pick<ServiceAccess, 'requireInstallations'>;
  rules: VisitorTokenRules;
  url: URL;
  jwtToken: string | undefined;
}

type EnterScope = Asking & Pick<Scope, 'database'>;

/**
 * Lets a visitor into a site, or says where they have to go first.
 * @throws AppError `not_found` for a site that is not published, or without the key of an active share link where one
 * is needed; `visitor_auth_required` where visitors have to sign in and nobody says where; `unavailable` while the
 * integration that signs them in does not
 */
export async function enterSite(scope: EnterScope, door: Door): Promise<Entered | PublishedRedirect> {
  const { found, auth, access, rules, url } = door;
  const { site, base, rest } = found;
  const preview = await previewAt(scope, site._id, url);
  if (preview !== undefined)
    return { base, rest, shareKey: undefined, signed: preview.claims, until: undefined, draft: preview.user };
  if (!site.published) throw new AppError('not_found');
  const entry = site.visibility === 'share-link' ? withShareKey(scope, found) : { base, rest };
  const toService = await serviceRedirect(scope, door, entry.rest);
  if (toService !== undefined) return toService;
  const token = url.searchParams.get('jwt_token') ?? door.jwtToken;
  const { _id: id, organization } = site;
  const signed = await signedClaims(scope, { id, organization, auth, access }, rules, token);
  if (signed === undefined && site.visibility === 'visitor-auth') return signIn(scope, door, url);
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
 * Where visitors sign in, to come back to `wanted`.
 * @throws AppError `visitor_auth_required` when nobody says where; `unavailable`
 */
async function signIn(scope: EnterScope, { found, auth }: Door, wanted: URL): Promise<PublishedRedirect> {
  const { _id: site, organization } = found.site;
  const { fallbackURL, integration } = auth;
  if (integration !== null) {
    const login = await loginAddress(scope, { organization, site }, integration);
    login.searchParams.set('location', locationOnSite(found, wanted));
    return { target: 'external', redirect: login.href, site };
  }
  if (fallbackURL === null) throw new AppError('visitor_auth_required');
  const redirect = new URL(fallbackURL);
  redirect.searchParams.set('location', locationOf(wanted));
  return { target: 'external', redirect: redirect.href, site };
}

/** The same below the address of the site, without a slash at the beginning: it can be shown at several addresses. */
function locationOnSite({ base }: FoundSite, url: URL): string {
  const home = `/${[...base.map(encodeURIComponent), ''].join('/')}`.replace(/^\/\/$/, '/');
  const location = locationOf(url);
  return location.startsWith(home) ? location.slice(home.length).replace(/^\/+/, '') : '';
}

/** Path and query of an address, without what proves who the visitor is. */
function locationOf(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ['jwt_token', 'preview']) query.delete(name);
  const text = query.toString();
  return `${url.pathname}${text === '' ? '' : `?${text}`}`;
}

/** `~service/auth/login` and `logout` of a site lead to where visitors sign in and out. */
async function serviceRedirect(
  scope: EnterScope,
  door: Door,
  [service = '', kind, action]: readonly string[],
): Promise<PublishedRedirect | undefined> {
  const { found, auth, url } = door;
  const { site, base } = found;
  if (!['~service', '~gitbook'].includes(service) || kind !== 'auth') return undefined;
  const home = new URL(`/${base.map(encodeURIComponent).join('/')}/`, url.origin);
  if (action === 'logout')
    return auth.logoutURL === null
      ? { target: 'content', redirect: home.href, site: site._id }
      : { target: 'external', redirect: auth.logoutURL, site: site._id };
  if (action !== 'login') return undefined;
  const wanted = new URL(url.searchParams.get('location') ?? home.pathname, home);
  return signIn(scope, door, wanted.origin === home.origin ? wanted : home);
}
