import { visitBounds, type InsightEvent, type Visit, type VisitorSession } from '@scriptorium/contracts';

type Told =
  { type: 'site_view' } | { type: 'page_feedback'; feedback: Extract<Visit, { type: 'page_feedback' }>['feedback'] };

/** Where something happened. */
export interface VisitedPlace {
  organization: string;
  site: string;
  siteSpace: string | undefined;
  space?: string | undefined;
  page?: string | undefined;
}

/** What an event tells integrations; `undefined` for one of which they are not told. Pure. */
export function toldOf(event: InsightEvent): Told | undefined {
  switch (event.type) {
    case 'page_view':
      return { type: 'site_view' };
    case 'page_feedback': {
      const { rating, comment } = event;
      return { type: 'page_feedback', feedback: { rating, ...(comment === undefined ? {} : { comment }) } };
    }
    case 'page_post_feedback':
    case 'page_post_feedback_comment':
      return { type: 'page_feedback', feedback: event.feedback };
    default:
      return undefined;
  }
}

/**
 * The site space of an event, as far as it is one of the site that shows the space of the event: nothing else says of
 * what site it is. Pure.
 */
export function siteSpaceOf(
  { siteSpace, location }: InsightEvent,
  { space, siteSpaces }: { space: string | undefined; siteSpaces: readonly { id: string; space: string }[] },
): string | undefined {
  const named = siteSpace ?? location?.siteSpace;
  return siteSpaces.find((one) => one.id === named && (space === undefined || one.space === space))?.id;
}

/** Who visits. */
export interface VisitedBy {
  /** Makes the id of a visitor whom the renderer gives none. */
  anonymousId: (session: VisitorSession) => string;
  /** The key of the share link by which they came; it stands in addresses. */
  shareKey: string | undefined;
}

/** What integrations are told of an event, with nothing in it that is longer than its bound. */
export function visitOf(
  event: InsightEvent,
  told: Told,
  at: VisitedPlace,
  { anonymousId, shareKey }: VisitedBy,
): Visit {
  const session: VisitorSession = event.session ?? {};
  const { userAgent, ip, language, referrer, visitorId } = session;
  const { organization, site, ...place } = at;
  return {
    ...told,
    organization,
    site,
    ...(Object.fromEntries(Object.entries(place).filter(([, id]) => id !== undefined)) as Partial<VisitedPlace>),
    visitor: {
      anonymousId: cut(visitorId, visitBounds.id) || anonymousId(session),
      cookies: cookiesIn(session),
      userAgent: cut(userAgent, visitBounds.userAgent),
      ip: cut(ip, visitBounds.short),
      ...(language == null ? {} : { language: cut(language, visitBounds.short) }),
    },
    url: withoutTokens(event.location?.url, shareKey),
    referrer: referrerOf(referrer, event.location?.url, shareKey),
  };
}

function cut(text: string | null | undefined, most: number): string {
  return (text ?? '').slice(0, most);
}

/** Cookies that are not of the product: what lets a visitor in is for no script. */
function cookiesIn({ cookies }: VisitorSession): Record<string, string> {
  let left: number = visitBounds.cookies;
  const kept = Object.entries(cookies ?? {}).filter(([name, value]) => {
    if (own.test(name) || ownToken.test(value)) return false;
    left -= name.length + value.length;
    return left >= 0;
  });
  return Object.fromEntries(kept);
}

const own = /^(__(host|secure)-)?(scriptorium|gitbook-visitor-token|scr_)/i;
const ownToken = /scr_[a-z]{2,8}_/;

type Address = string | null | undefined;

/** An address without what proves who a visitor is, or opens a site to them. */
function withoutTokens(address: Address, shareKey: string | undefined): string {
  const url = webAddress(address);
  if (url === undefined) return '';
  for (const name of ['jwt_token', 'preview', 'token']) url.searchParams.delete(name);
  if (shareKey !== undefined)
    url.pathname = url.pathname
      .split('/')
      .filter((part) => part !== shareKey)
      .join('/');
  url.username = url.password = url.hash = '';
  return url.href.slice(0, visitBounds.url);
}

/** Where a visitor came from. Of another site it is the origin alone: its addresses may open something, too. */
function referrerOf(address: Address, page: Address, shareKey: string | undefined): string {
  const [from, here] = [webAddress(address), webAddress(page)];
  if (from === undefined) return '';
  const isHere = here !== undefined && from.origin === here.origin && siteIn(from) === siteIn(here);
  return isHere ? withoutTokens(address, shareKey) : `${from.origin}/`;
}

/** The id of a site at a host that sites share. */
function siteIn({ pathname }: URL): string | undefined {
  return /^\/~site\/([^/]*)/.exec(pathname)?.[1];
}

function webAddress(address: Address): URL | undefined {
  const url = URL.parse(address ?? '');
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}
