import { IntegrationTokenPayload } from '@scriptorium/contracts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../process/keyring.js';

const purpose = 'integration-token';
const prefixes = { integration: 'scr_int_', installation: 'scr_inst_' } as const;
const form = /^(scr_int_|scr_inst_)([\w-]{1,32})\.([\w-]{1,1024})\.([\w-]{43})$/;
/** Within this time the token of an installation is the same, so that its caller is cached. */
const reusedForMs = 30 * 60_000;
const lifetimeMs = 60 * 60_000;

/** A token that was issued here and has not ended. */
export interface VerifiedIntegrationToken {
  payload: IntegrationTokenPayload;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Whether a bearer token has the form of a token of an integration or installation. */
export function looksLikeIntegrationToken(token: string): boolean {
  return token.startsWith(prefixes.integration) || token.startsWith(prefixes.installation);
}

/**
 * Issues a token of an integration, or of an installation: signed under a purpose key of the keyring, and stored
 * nowhere. It is valid for an hour from the beginning of the half hour in which it is asked for, and the same one
 * within that. `now`: ms since 1970.
 */
export function issueIntegrationToken(keys: Keyring, payload: IntegrationTokenPayload, now: number): string {
  const expiresAt = Math.floor(now / reusedForMs) * reusedForMs + lifetimeMs;
  const body = Buffer.from(JSON.stringify({ ...payload, exp: expiresAt / 1_000 })).toString('base64url');
  const text = `${prefixes[payload.kind]}${keys.current}.${body}`;
  const mac = macOf(keys, text, keys.current);
  if (mac === undefined) throw new Error('The keyring has no key that signs');
  return `${text}.${mac}`;
}

/**
 * Verifies a token of an integration or installation; `null` for one that was not issued here or has ended. `now`: ms
 * since 1970.
 */
export function verifyIntegrationToken(keys: Keyring, token: string, now: number): VerifiedIntegrationToken | null {
  const [, prefix = '', key = '', body = '', mac = ''] = form.exec(token) ?? [];
  const expected = macOf(keys, `${prefix}${key}.${body}`, key);
  // Signatures are compared as text, so that a token has one spelling.
  return expected !== undefined && isSameText(expected, mac) ? read(prefix, body, now) : null;
}

function read(prefix: string, body: string, now: number): VerifiedIntegrationToken | null {
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { exp: number };
  const payload = IntegrationTokenPayload.safeParse(claims);
  const expiresAt = claims.exp * 1_000;
  if (!payload.success || prefixes[payload.data.kind] !== prefix || now >= expiresAt) return null;
  return { payload: payload.data, expiresAt };
}

function macOf(keys: Keyring, text: string, id: string): string | undefined {
  const key = keys.key(purpose, id);
  return key === undefined ? undefined : createHmac('sha256', key).update(text).digest('base64url');
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
