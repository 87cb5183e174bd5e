import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ConfigError } from './config.js';

/** The purpose of a derived key. A key of one purpose never works for another. */
export type Purpose =
  | 'cursor'
  | 'session'
  | 'content-token'
  | 'integration-token'
  | 'integration-callback'
  | 'secrets-at-rest'
  | 'principal'
  | 'file-url';

interface Key {
  id: string;
  bytes: Buffer;
}

/**
 * The installation's secret keys. The first one signs, the others still verify. Purpose keys are derived by
 * HKDF-SHA256. The `reservation` key names streams and so is never rotated.
 */
export class Keyring {
  readonly reservation: Buffer;
  readonly #keys: readonly Key[];
  readonly #derived = new Map<string, Buffer>();

  constructor(reservation: Buffer, keys: readonly Key[]) {
    this.reservation = reservation;
    this.#keys = keys;
  }

  /**
   * A keyed digest for values that may not be stored, such as addresses: 32 bytes (HMAC-SHA256 with the reservation
   * key). It never changes, and nobody without the keys can find the value by trying. The first part names the kind of
   * value.
   */
  digest(kind: string, ...parts: readonly string[]): Buffer {
    return createHmac('sha256', this.reservation)
      .update(JSON.stringify([kind, ...parts]))
      .digest();
  }

  /** Id of the key that signs. */
  get current(): string {
    return this.#keys[0]?.id ?? '';
  }

  /** The key of a purpose, 32 bytes, or undefined when the keyring has no such id. */
  key(purpose: Purpose, id: string = this.current): Buffer | undefined {
    const root = this.#keys.find((key) => key.id === id);
    if (root === undefined) return undefined;
    const name = `${purpose}:${id}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const derived = Buffer.from(hkdfSync('sha256', root.bytes, '', `scriptorium/${purpose}`, 32));
    this.#derived.set(name, derived);
    return derived;
  }

  /** Signs a text: the first `bytes` bytes of HMAC-SHA256 as hex. */
  sign(purpose: Purpose, text: string, bytes = 32, id: string = this.current): string {
    const key = this.key(purpose, id);
    if (key === undefined) throw new Error(`No key ${id}`);
    return createHmac('sha256', key).update(text).digest().subarray(0, bytes).toString('hex');
  }

  /** Whether `mac` is the signature of this text with this key id. Compared in constant time. */
  verify(purpose: Purpose, text: string, mac: string, id: string): boolean {
    if (this.key(purpose, id) === undefined || !/^([0-9a-f]{2})+$/.test(mac)) return false;
    const given = Buffer.from(mac, 'hex');
    return timingSafeEqual(given, Buffer.from(this.sign(purpose, text, given.length, id), 'hex'));
  }
}

/** Reads `SECRET_KEYS`: `id:base64` entries separated by commas, each of at least 32 bytes. */
export function parseKeyring(text: string): Keyring {
  const keys = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    const bytes = Buffer.from(encoded, 'base64');
    if (!/^[a-zA-Z0-9_-]{1,32}$/.test(id) || bytes.length < 32) {
      throw new ConfigError('SECRET_KEYS: each entry must be id:base64 with at least 32 bytes of key');
    }
    return { id, bytes };
  });
  const reservation = keys.find((key) => key.id === 'reservation');
  const rotating = keys.filter((key) => key.id !== 'reservation');
  if (reservation === undefined) throw new ConfigError('SECRET_KEYS: the reservation key is missing');
  if (rotating.length === 0) throw new ConfigError('SECRET_KEYS: a signing key is missing');
  return new Keyring(reservation.bytes, rotating);
}
