import type { VisitorSession } from '@scriptorium/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Consent } from './scripts.js';

/** What the reader tells of a visitor, for integrations that a site has installed: nothing of it is kept. */
export interface Session {
  session: VisitorSession;
  /** The address of the page. */
  url: string;
}

/** What a page depends on besides its address: the visitor, and what they have chosen. */
export interface Visiting {
  /** The addresses of the machine of the visitor and of those in between. */
  from: string;
  /** The theme that the visitor has chosen, as a cookie has it. */
  theme: string | undefined;
  /** What the visitor has said about cookies, as a cookie has it. */
  consent: Consent | undefined;
  /** What the browser of the visitor says of them. */
  session: Session;
  /** Ends what takes too long. */
  signal: AbortSignal;
}

/** Characters of what is told. */
const longest = { text: 512, url: 2_048, cookies: 4_096 };

interface Request {
  headers: IncomingHttpHeaders;
  /** The addresses of the machine of the visitor and of those in between. */
  from: string;
  /** The address as visitors see it. */
  url: URL;
  /** Whether the host belongs to one site alone. */
  isOwnHost: boolean;
}

/** Reads what a request says of a visitor; cookies only where the host belongs to one site. Pure. */
export function sessionOf({ headers, from, url, isOwnHost }: Request): Session {
  const address = new URL(url);
  for (const name of ['jwt_token', 'preview']) address.searchParams.delete(name);
  const [ip = ''] = from.split(',');
  const [language = ''] = (headers['accept-language'] ?? '').split(/[,;]/);
  return {
    url: address.href.slice(0, longest.url),
    session: {
      ip: ip.trim().slice(0, 64),
      userAgent: (headers['user-agent'] ?? '').slice(0, longest.text),
      ...(language === '' ? {} : { language: language.trim().slice(0, 64) }),
      referrer: (headers.referer ?? '').slice(0, longest.url),
      cookies: isOwnHost ? cookiesIn(headers.cookie) : {},
    },
  };
}

/** Cookies that are not of the reader. */
function cookiesIn(header = ''): Record<string, string> {
  const all = header
    .slice(0, longest.cookies)
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(([name = '', ...value]) => name !== '' && value.length > 0 && !/^(__\w+-)?scriptorium/i.test(name));
  return Object.fromEntries(all.map(([name = '', ...value]) => [name, value.join('=')]));
}
