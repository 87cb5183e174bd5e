import { createHash, randomBytes } from 'node:crypto';
import { AppError, parseSession, sessionCookie, browserCookie } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/accept.js';

/** The paths that browsers send the cookie to. */
const within = /^\/v1(?:\/|$)/;
const sessionSeconds = 30 * 24 * 3600;

/** The session cookie: how it is read, when it is accepted, how it is set. */
export interface SessionCookie {
  /**
   * The session of a request; undefined without one. @throws `forbidden` for a request of a page of another origin, as
   * browsers send cookies whatever page makes the request
   */
  of(request: FastifyRequest): string | undefined;
  /** Whether a request was made by a page of this origin. */
  isSameOrigin(request: FastifyRequest): boolean;
  /** `id.hash` of the session, as services get it. */
  digestOf(session: string): string | undefined;
  /** Sets the session, or removes it if the text is empty. */
  put(reply: FastifyReply, session: string): void;
}

export function createSessionCookie(publicUrl: string): SessionCookie {
  const { origin, protocol } = new URL(publicUrl);
  const attributes = `; Path=/v1; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    of(request) {
      const session = cookieOf(request.raw.headers.cookie);
      // Answers to other paths may be cached for everybody, so they must not depend on a session.
      if (session === undefined || !within.test(pathOf(request.raw.url ?? '/'))) return undefined;
      if (!isFrom(origin, request))
        throw new AppError('forbidden', [], { message: 'A session cookie is accepted from pages of this origin only' });
      return session;
    },
    isSameOrigin: (request) => isFrom(origin, request),
    digestOf(session) {
      const id = parseSession(session);
      return id === null ? undefined : `${id}.${hashOf(session)}`;
    },
    put(reply, session) {
      const life = session === '' ? 0 : sessionSeconds;
      reply.header('set-cookie', `${sessionCookie}=${session}${attributes}; Max-Age=${life}`);
    },
  };
}

/** SHA-256 of a secret as lower-case hexadecimal: services get it instead of the secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The first cookie with the form of a session: other applications may set cookies of the same name. */
function cookieOf(header: string | undefined): string | undefined {
  return cookiesOf(header, sessionCookie).find((value) => parseSession(value) !== null);
}

/**
 * Whether a request was made by a page of this origin, or by a program. A request that may change something must have
 * an `Origin` header. Browsers send none with a GET of the same origin; then `Sec-Fetch-Site` tells.
 */
function isFrom(origin: string, request: FastifyRequest): boolean {
  const { origin: named, 'sec-fetch-site': site } = request.raw.headers;
  if (named !== undefined) return named === origin;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && (site === undefined || site === 'same-origin' || site === 'none');
}

const browserForm = /^[0-9a-f]{64}$/;
/** The time that somebody may take at their identity provider. */
const browserSeconds = 15 * 60;

/**
 * A cookie that recognises a browser when it comes back from an identity provider. Without it, anybody could make
 * another person's browser deliver the attacker's own sign-in answer, and that person would be signed in as the
 * attacker.
 */
export interface BrowserCookie {
  /** The secret that the browser sent; undefined if it sent none. */
  of(request: FastifyRequest): string | undefined;
  /** Sets the cookie of a browser that leaves. */
  put(reply: FastifyReply, secret: string): void;
}

/**
 * The answer comes with a form of another site: the cookie is sent along only with `SameSite=None`, which browsers
 * accept only over https.
 */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  const attributes = `; Path=/v1/sso; HttpOnly; Max-Age=${browserSeconds}${publicUrl.startsWith('https:') ? '; SameSite=None; Secure' : ''}`;
  return {
    of: ({ raw }) => cookiesOf(raw.headers.cookie, browserCookie).find((value) => browserForm.test(value)),
    put: (reply, secret) => void reply.header('set-cookie', `${browserCookie}=${secret}${attributes}`),
  };
}

export function newBrowserSecret(): string {
  return randomBytes(32).toString('hex');
}

/** The values of all cookies of a name. */
export function cookiesOf(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
