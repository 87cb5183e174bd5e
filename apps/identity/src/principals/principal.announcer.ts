import { randomUUID } from 'node:crypto';
import { principalChanges, type PrincipalChange } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';

const beatMs = 250;

/**
 * Tells the gateways whose tokens or rights changed (ruling 12). Each replica announces what it did itself, with a beat
 * every 250 ms: a gateway that misses it believes nothing it learnt before.
 */
export class PrincipalAnnouncer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #beat: NodeJS.Timeout;
  #sequence = 0;

  constructor({ messaging }: Pick<ServiceContext, 'messaging'>) {
    this.#publish = (change) => messaging.publish(principalChanges, Buffer.from(JSON.stringify(change)));
    this.#beat = setInterval(() => this.#announce([]), beatMs);
  }

  /** To be called once the change can be read. */
  changed(...users: string[]): void {
    this.#announce(users);
  }

  stop(): void {
    clearInterval(this.#beat);
  }

  #announce(users: string[]): void {
    this.#sequence += 1;
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users });
  }
}
