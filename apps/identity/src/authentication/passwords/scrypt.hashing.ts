import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '@scriptorium/contracts';

/**
 * The cost of a hash. The memory is 128 · N · r bytes, here 32 MiB. This is one of the settings that OWASP recommends
 * for scrypt.
 */
interface Cost {
  /** Binary logarithm of N. */
  ln: number;
  r: number;
  p: number;
}

const currentCost: Cost = { ln: 15, r: 8, p: 3 };
const hashBytes = 32;
const saltBytes = 16;
/** The most memory that a stored hash may need. It leaves a reserve above 128 MiB. */
const maxMemory = 160 * 1024 * 1024;

/**
 * How many hashes are computed at the same time. The thread pool has four threads, which also resolve host names and
 * read files.
 */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1));
const maxQueueLength = 50;

export interface Verified {
  matches: boolean;
  /** Whether the hash has another cost than new ones. */
  outdated: boolean;
}

/**
 * Hashes passwords with scrypt in the thread pool, a few at a time. When too many requests wait, further ones are
 * refused with `unavailable`. The text of a hash contains its cost and salt: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`.
 */
export class PasswordHashing {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    return encode(currentCost, salt, await this.#derive(password, salt, currentCost));
  }

  /**
   * Compares a password with a hash. Without a hash it takes the same time and never matches, so that unknown accounts
   * are not revealed.
   */
  async verify(password: string, encoded: string | null): Promise<Verified> {
    const stored = encoded === null ? dummyHash : decode(encoded);
    const derived = await this.#derive(password, stored.salt, stored.cost);
    const same = timingSafeEqual(derived, stored.hash);
    return { matches: same && encoded !== null, outdated: encode(currentCost, stored.salt, stored.hash) !== encoded };
  }

  async #derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
    await this.#acquireSlot();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, hashBytes, { N: 2 ** ln, r, p, maxmem: maxMemory }, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #acquireSlot(): Promise<void> {
    if (this.#running < concurrency) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= maxQueueLength) throw new AppError('unavailable', [], { retryAfter: 2 });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const dummyHash = { cost: currentCost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) };

function encode({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

const encodedHash = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{16,64})\$([\w-]{43})$/;

function decode(encoded: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt = '', hash = ''] = encodedHash.exec(encoded) ?? [];
  if (ln === undefined) throw new Error('A stored password hash has an unknown form');
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}
