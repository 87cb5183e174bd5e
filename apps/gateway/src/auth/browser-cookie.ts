import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserCookie } from '@scriptorium/contracts';

const form = /^[0-9a-f]{64}$/;
/** The time that somebody may take at their identity provider. */
const lifetimeSeconds = 15 * 60;

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
  const attributes = `; Path=/v1/sso; HttpOnly; Max-Age=${lifetimeSeconds}${publicUrl.startsWith('https:') ? '; SameSite=None; Secure' : ''}`;
  return {
    of: ({ raw }) => cookiesOf(raw.headers.cookie, browserCookie).find((value) => form.test(value)),
    put: (reply, secret) => void reply.header('set-cookie', `${browserCookie}=${secret}${attributes}`),
  };
}

export function newBrowserSecret(): string {
  return randomBytes(32).toString('hex');
}

/** SHA-256 of the secret; services never get the secret itself. */
export function hashBrowser(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The values of all cookies of a name. */
export function cookiesOf(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
