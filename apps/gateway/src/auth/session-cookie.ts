import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, parseSession, sessionCookie } from '@scriptorium/contracts';
import { pathOf } from '../http/target.js';
import { cookiesOf } from './browser-cookie.js';

/** Where browsers send it. */
const within = /^\/v1(?:\/|$)/;
const lifetimeSeconds = 30 * 24 * 3600;

/** The session cookie (decisions 1.2.d): how it is read, when it counts, how it is set. */
export interface SessionCookie {
  /**
   * The session that a request carries; undefined without one. Throws `forbidden` when it comes from a page of another
   * origin: a cookie is sent along whoever made the page.
   */
  of(request: FastifyRequest): string | undefined;
  /** Whether a request that may change something was made by a page of this origin. */
  isFromHere(request: FastifyRequest): boolean;
  /** `id.hash` of the session, as services get it. */
  digestOf(session: string): string | undefined;
  /** Sets the session, or takes it away when the text is empty. */
  put(reply: FastifyReply, session: string): void;
}

export function createSessionCookie(publicUrl: string): SessionCookie {
  const { origin, protocol } = new URL(publicUrl);
  const attributes = `; Path=/v1; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  return {
    of(request) {
      const session = cookieOf(request.raw.headers.cookie);
      // Elsewhere nothing may depend on it: documents are kept for everybody.
      if (session === undefined || !within.test(pathOf(request.raw.url ?? '/'))) return undefined;
      if (!isFrom(origin, request)) throw new AppError('forbidden', [], { message: 'A session works from the pages of this address alone' });
      return session;
    },
    isFromHere: (request) => isFrom(origin, request),
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

/** SHA-256 of a session as lower-case hexadecimal: the only form in which it is looked up. */
export function hashSession(session: string): string {
  return createHash('sha256').update(session).digest('hex');
}

/** The first that has the form of a session: anything else of the name was put there by somebody else. */
function cookieOf(header: string | undefined): string | undefined {
  return cookiesOf(header, sessionCookie).find((value) => parseSession(value) !== null);
}

/**
 * Whether a request was made by a page of this origin, or by no page of another one. What may change something must name its
 * origin; browsers name none for a GET of the same origin, and then say so in `Sec-Fetch-Site`.
 */
function isFrom(origin: string, request: FastifyRequest): boolean {
  const { origin: named, 'sec-fetch-site': site } = request.raw.headers;
  if (named !== undefined) return named === origin;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && (site === undefined || site === 'same-origin' || site === 'none');
}
