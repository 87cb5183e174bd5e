import { ContentTokenPayload } from '@scriptorium/contracts';
import { jwtVerify } from 'jose';
import { createHmac } from 'node:crypto';
import type { Keyring } from '../process/keyring.js';

const purpose = 'content-token';
const algorithm = 'HS256';
/** No token of another kind passes for one of these, whoever signs it. */
const type = 'scriptorium-content+jwt';
const lifetimeSeconds = 3_600;
/** Three parts in base64url, the first of which begins with `{"`. */
const form = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

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
  return form.test(token);
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
  const key = keys.key(purpose);
  if (key === undefined) throw new Error('The keyring has no key that signs');
  const issuedAt = Math.floor(now / 1_000);
  const header = encoded({ alg: algorithm, typ: type, kid: keys.current });
  const text = `${header}.${encoded({ ...payload, jti: id, iat: issuedAt, exp: Math.min(issuedAt + lifetimeSeconds, until) })}`;
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
    const { payload } = await jwtVerify(token, ({ kid = '' }) => keyOf(keys, kid), {
      algorithms: [algorithm],
      typ: type,
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
function keyOf(keys: Keyring, id: string): Uint8Array {
  const key = keys.key(purpose, id);
  if (key === undefined) throw new Error('Unknown key');
  return key;
}
