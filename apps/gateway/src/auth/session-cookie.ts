import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, parseSession, sessionCookie } from '@scriptorium/contracts';
import { pathOf } from '../http/requests/target.js';
import { cookiesOf } from './browser-cookie.js';

/** The paths that browsers send the cookie to. */
const within = /^\/v1(?:\/|$)/;
const lifetimeSeconds = 30 * 24 * 3600;

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
      return id === null ? undefined : `${id}.${hashSession(session)}`;
    },
    put(reply, session) {
      const life = session === '' ? 0 : lifetimeSeconds;
      reply.header('set-cookie', `${sessionCookie}=${session}${attributes}; Max-Age=${life}`);
    },
  };
}

/** SHA-256 of a session as lower-case hexadecimal; services look sessions up by it. */
export function hashSession(session: string): string {
  return createHash('sha256').update(session).digest('hex');
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
