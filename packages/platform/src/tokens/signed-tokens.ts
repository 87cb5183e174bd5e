import { ContentTokenPayload, IntegrationTokenPayload } from '@scriptorium/contracts';
import { jwtVerify } from 'jose';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../process/keyring.js';

// Tokens that are signed under purpose keys of the installation, and stored nowhere.

/** Content tokens are JWTs of a type of their own: no token of another kind passes for one, whoever signs it. */
const content = {
  purpose: 'content-token',
  algorithm: 'HS256',
  type: 'scriptorium-content+jwt',
  lifetimeSeconds: 3_600,
  /** Three parts in base64url, the first of which begins with `{"`. */
  form: /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/,
} as const;

/** A content token that was issued here and has not ended. */
export interface VerifiedContentToken {
  /** Another one for each token. */
  id: string;
  payload: ContentTokenPayload;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Whether a bearer token has the form of a content token. */
export function looksLikeContentToken(token: string): boolean {
  return content.form.test(token);
}

/**
 * Issues a content token: a JWT under a purpose key of the installation, valid for an hour, or `until` (seconds since
 * 1970) if that is earlier. `now`: ms since 1970. Each answer about an address has one, so it is signed without a copy
 * of the key for each.
 */
export function issueContentToken(
  keys: Keyring,
  payload: ContentTokenPayload,
  { id, now, until = Infinity }: { id: string; now: number; until?: number | undefined },
): string {
  const key = keys.key(content.purpose);
  if (key === undefined) throw new Error('The keyring has no key that signs');
  const issuedAt = Math.floor(now / 1_000);
  const header = encoded({ alg: content.algorithm, typ: content.type, kid: keys.current });
  const text = `${header}.${encoded({ ...payload, jti: id, iat: issuedAt, exp: Math.min(issuedAt + content.lifetimeSeconds, until) })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Verifies a content token; `null` for one that was not issued here or has ended. `now`: ms since 1970. */
export async function verifyContentToken(
  keys: Keyring,
  token: string,
  now: number,
): Promise<VerifiedContentToken | null> {
  try {
    const { payload } = await jwtVerify(token, ({ kid = '' }) => contentKey(keys, kid), {
      algorithms: [content.algorithm],
      typ: content.type,
      currentDate: new Date(now),
      requiredClaims: ['jti', 'exp'],
    });
    const { jti = '', exp = 0 } = payload;
    return { id: jti, payload: ContentTokenPayload.parse(payload), expiresAt: exp * 1_000 };
  } catch {
    return null;
  }
}

/** @throws for a key that the installation does not have */
function contentKey(keys: Keyring, id: string): Uint8Array {
  const key = keys.key(content.purpose, id);
  if (key === undefined) throw new Error('Unknown key');
  return key;
}

const integration = {
  purpose: 'integration-token',
  prefixes: { integration: 'scr_int_', installation: 'scr_inst_' },
  form: /^(scr_int_|scr_inst_)([\w-]{1,32})\.([\w-]{1,1024})\.([\w-]{43})$/,
  /** Within this time the token of an installation is the same, so that its caller is cached. */
  reusedForMs: 30 * 60_000,
  lifetimeMs: 60 * 60_000,
} as const;

/** A token that was issued here and has not ended. */
export interface VerifiedIntegrationToken {
  payload: IntegrationTokenPayload;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Whether a bearer token has the form of a token of an integration or installation. */
export function looksLikeIntegrationToken(token: string): boolean {
  return token.startsWith(integration.prefixes.integration) || token.startsWith(integration.prefixes.installation);
}

/**
 * Issues a token of an integration, or of an installation: signed under a purpose key of the keyring, and stored
 * nowhere. It is valid for an hour from the beginning of the half hour in which it is asked for, and the same one
 * within that. `now`: ms since 1970.
 */
export function issueIntegrationToken(keys: Keyring, payload: IntegrationTokenPayload, now: number): string {
  const { prefixes, reusedForMs, lifetimeMs } = integration;
  const expiresAt = Math.floor(now / reusedForMs) * reusedForMs + lifetimeMs;
  const body = Buffer.from(JSON.stringify({ ...payload, exp: expiresAt / 1_000 })).toString('base64url');
  const text = `${prefixes[payload.kind]}${keys.current}.${body}`;
  const mac = integrationMac(keys, text, keys.current);
  if (mac === undefined) throw new Error('The keyring has no key that signs');
  return `${text}.${mac}`;
}

/**
 * Verifies a token of an integration or installation; `null` for one that was not issued here or has ended. `now`: ms
 * since 1970.
 */
export function verifyIntegrationToken(keys: Keyring, token: string, now: number): VerifiedIntegrationToken | null {
  const [, prefix = '', key = '', body = '', mac = ''] = integration.form.exec(token) ?? [];
  const expected = integrationMac(keys, `${prefix}${key}.${body}`, key);
  // Signatures are compared as text, so that a token has one spelling.
  return expected !== undefined && isSameText(expected, mac) ? readIntegrationToken(prefix, body, now) : null;
}

function readIntegrationToken(prefix: string, body: string, now: number): VerifiedIntegrationToken | null {
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { exp: number };
  const payload = IntegrationTokenPayload.safeParse(claims);
  const expiresAt = claims.exp * 1_000;
  if (!payload.success || integration.prefixes[payload.data.kind] !== prefix || now >= expiresAt) return null;
  return { payload: payload.data, expiresAt };
}

function integrationMac(keys: Keyring, text: string, id: string): string | undefined {
  const key = keys.key(integration.purpose, id);
  return key === undefined ? undefined : createHmac('sha256', key).update(text).digest('base64url');
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
