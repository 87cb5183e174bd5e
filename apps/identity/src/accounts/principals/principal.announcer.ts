import { randomUUID } from 'node:crypto';
import { identityReadModels } from '@scriptorium/access';
import { principalChanges, type PrincipalChange } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';

const beatMs = 250;

/** Streams of which other services make their read models of access. */
const accessEntities: ReadonlySet<string> = new Set(identityReadModels.flatMap(({ entities }) => entities));

/**
 * Tells the gateways whose tokens or rights changed. Each replica announces its own changes, with a beat
 * every 250 ms: a gateway that misses one forgets everything that it has cached. With each event that decides about access,
 * other services are told how far their read models have to be.
 */
export class PrincipalAnnouncer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #beat: NodeJS.Timeout;
  /** Position of the last event that this replica recorded, by entity of the stream. */
  readonly #recorded = new Map<string, string>();
  #sequence = 0;

  constructor(context: Pick<ServiceContext, 'messaging' | 'onCommit'>) {
    this.#publish = (change) => context.messaging.publish(principalChanges, Buffer.from(JSON.stringify(change)));
    this.#beat = setInterval(() => this.#announce([]), beatMs);
    context.onCommit(({ entity, position }) => {
      if (!accessEntities.has(entity)) return;
      this.#recorded.set(entity, String(position));
      this.#announce([]);
    });
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
    const recorded = Object.fromEntries(this.#recorded);
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users, recorded });
  }
}
