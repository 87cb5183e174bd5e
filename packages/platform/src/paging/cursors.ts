import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError, invalid, invalidPage } from '@scriptorium/contracts';
import type { Keyring } from '../process/keyring.js';

/** The list that a cursor belongs to. With another list, filter or order it is refused. */
export interface CursorBinding {
  operation: string;
  /** Path parameters and filters of the list. */
  scope: Readonly<Record<string, unknown>>;
  sort: string;
  order: 'asc' | 'desc';
}

/**
 * Sort key and id of the last item of a page, and the total when counting is expensive. The sort key is null when the
 * document has none.
 */
export type CursorKeys = readonly [key: string | number | null, id: string, count?: number];

/**
 * Makes and checks the cursors of lists. The name of the sort and the order are readable. The sort keys are encrypted,
 * since they may be names of people. The signature also covers the operation, its parameters and filters.
 */
export class Cursors {
  readonly #keys: Keyring;

  constructor(keys: Keyring) {
    this.#keys = keys;
  }

  encode(binding: CursorBinding, keys: CursorKeys): string {
    const payload = { v: 1, i: this.#keys.current, s: binding.sort, o: binding.order, k: this.#seal(keys) };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${this.#keys.sign('cursor', text + bound(binding), 8)}`;
  }

  /**
   * Reads a cursor.
   * @throws AppError `invalid_request` for a cursor that was changed or belongs to another list
   */
  decode(binding: CursorBinding, page: string): CursorKeys {
    const [text = '', mac = '', ...more] = page.split('.');
    const id = keyId(text);
    if (more.length > 0 || mac.length !== 16 || !this.#keys.verify('cursor', text + bound(binding), mac, id))
      throw refusal();
    const { k } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { k: string };
    return this.#open(k, id);
  }

  #seal(keys: CursorKeys): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#keys.current), iv);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  #open(sealed: string, id: string): CursorKeys {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return JSON.parse(text) as CursorKeys;
  }

  #key(id: string): Buffer {
    const key = this.#keys.key('cursor', id);
    if (key === undefined) throw refusal();
    return key;
  }
}

function bound(binding: CursorBinding): string {
  const scope = Object.entries(binding.scope).filter(([, value]) => value !== undefined);
  return JSON.stringify([binding.operation, binding.sort, binding.order, scope.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function keyId(text: string): string {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof payload === 'object' && payload !== null && 'i' in payload ? String(payload.i) : '';
  } catch {
    return '';
  }
}

function refusal(): AppError {
  const { reason, details } = invalid('query.page', invalidPage);
  return new AppError(reason, details, { message: invalidPage });
}
