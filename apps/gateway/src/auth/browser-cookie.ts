import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserCookie } from '@scriptorium/contracts';

const form = /^[0-9a-f]{64}$/;
/** As long as somebody may take at their identity provider. */
const lifetimeSeconds = 15 * 60;

/**
 * By which a browser that leaves for an identity provider is known again when it comes back: otherwise anybody could send
 * somebody else's browser here with an answer that was meant for their own, and have that person signed in as them.
 */
export interface BrowserCookie {
  /** What the browser carries; undefined where it carries nothing. */
  of(request: FastifyRequest): string | undefined;
  /** Gives it to a browser that leaves. */
  put(reply: FastifyReply, word: string): void;
}

/** Where the answer comes with another site's form, only `SameSite=None` lets the cookie come along, which browsers take from https alone. */
export function createBrowserCookie(publicUrl: string): BrowserCookie {
  const attributes = `; Path=/v1/sso; HttpOnly; Max-Age=${lifetimeSeconds}${publicUrl.startsWith('https:') ? '; SameSite=None; Secure' : ''}`;
  return {
    of: ({ raw }) => cookiesOf(raw.headers.cookie, browserCookie).find((value) => form.test(value)),
    put: (reply, word) => void reply.header('set-cookie', `${browserCookie}=${word}${attributes}`),
  };
}

export function newBrowserWord(): string {
  return randomBytes(32).toString('hex');
}

/** The only form in which services get it. */
export function hashBrowser(word: string): string {
  return createHash('sha256').update(word).digest('hex');
}

/** The values of all cookies of a name. */
export function cookiesOf(header: string | undefined, name: string): string[] {
  return (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
