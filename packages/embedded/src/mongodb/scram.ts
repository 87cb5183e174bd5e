import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type ServerCredentials } from '../authentication.js';

/** What a server keeps of its user for SCRAM-SHA-256 (RFC 5802, RFC 7677): enough to check a proof, not to make one. */
export interface ScramAccount {
  readonly user: string;
  readonly salt: Buffer;
  readonly iterations: number;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

/** An exchange after its first message. */
export interface ScramExchange {
  /** What the client is sent now. */
  readonly serverFirst: string;
  /**
   * Checks the client's proof. @returns the server's own proof; undefined when the client does not know the password
   */
  finish(clientFinal: string): string | undefined;
}

const DIGEST = 'sha256';
const DIGEST_BYTES = 32;
/** The default of the real server. */
const ITERATIONS = 15_000;
const NONCE_BYTES = 24;
const SALT_BYTES = 28;

/** No channel binding, no other identity to act for; user; nonce. */
const CLIENT_FIRST = /^([ny],,)n=([^,]{1,512}),r=([!-+\--~]{1,512})$/;
const CLIENT_FINAL = /^(c=([A-Za-z0-9+/]{4,16}={0,2}),r=([!-+\--~]{1,1024})),p=([A-Za-z0-9+/]{43}=)$/;

/** Derives the keys of an account. Takes some 10 ms, outside of the event loop. */
export async function scramAccount({ user, password }: ServerCredentials): Promise<ScramAccount> {
  const salt = randomBytes(SALT_BYTES);
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, DIGEST_BYTES, DIGEST);
  const storedKey = digest(hmac(salted, 'Client Key'));
  return { user, salt, iterations: ITERATIONS, storedKey, serverKey: hmac(salted, 'Server Key') };
}

/** Begins an exchange by the client's first message. @returns undefined when it is malformed or names another user */
export function beginScram(account: ScramAccount, clientFirst: string): ScramExchange | undefined {
  const [, header, name, clientNonce] = CLIENT_FIRST.exec(clientFirst) ?? [];
  if (header === undefined || name === undefined || clientNonce === undefined) return undefined;
  if (name.replaceAll('=2C', ',').replaceAll('=3D', '=') !== account.user) return undefined;
  const nonce = clientNonce + randomBytes(NONCE_BYTES).toString('base64');
  const serverFirst = `r=${nonce},s=${account.salt.toString('base64')},i=${account.iterations}`;
  const binding = Buffer.from(header).toString('base64');
  const before = `${clientFirst.slice(header.length)},${serverFirst}`;
  return {
    serverFirst,
    finish(clientFinal) {
      const [, withoutProof, givenBinding, givenNonce, proof] = CLIENT_FINAL.exec(clientFinal) ?? [];
      if (withoutProof === undefined || proof === undefined) return undefined;
      if (givenBinding !== binding || givenNonce !== nonce) return undefined;
      const message = `${before},${withoutProof}`;
      const clientKey = xor(Buffer.from(proof, 'base64'), hmac(account.storedKey, message));
      if (!timingSafeEqual(digest(clientKey), account.storedKey)) return undefined;
      return `v=${hmac(account.serverKey, message).toString('base64')}`;
    },
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac(DIGEST, key).update(text, 'utf8').digest();
}

function digest(bytes: Buffer): Buffer {
  return createHash(DIGEST).update(bytes).digest();
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}
