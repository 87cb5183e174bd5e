import { randomUUID } from 'node:crypto';
import { identityReadModels } from '@scriptorium/access';
import { principalChanges, type PrincipalChange } from '@scriptorium/contracts';
import { everyBeat } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

const beatMs = 250;

/** The events from which other services build their read models of access. */
const accessTypes: ReadonlySet<string> = new Set(identityReadModels.flatMap(({ types }) => [...types]));

/**
 * Tells the gateways whose tokens or rights have changed. Each replica announces its own changes and sends a heartbeat
 * every 250 ms. A gateway that misses a message drops its cached principals. Each message also names the positions up
 * to which the access read models of other services have to be.
 */
export class PrincipalAnnouncer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #endBeat: () => void;
  /** Position of the last event that this replica recorded, by kind of stream. */
  readonly #recorded = new Map<string, string>();
  #sequence = 0;
  #pending: NodeJS.Immediate | undefined;

  constructor(context: Pick<ServiceContext, 'messaging' | 'onCommit'>) {
    this.#publish = (change) => context.messaging.publish(principalChanges, Buffer.from(JSON.stringify(change)));
    this.#endBeat = everyBeat(beatMs, () => this.#announce([]));
    context.onCommit(({ entity, position, types }) => {
      if (!types.some((type) => accessTypes.has(type))) return;
      // Commits may be confirmed in another order than they have in the log.
      const before = BigInt(this.#recorded.get(entity) ?? -1);
      this.#recorded.set(entity, String(position > before ? position : before));
      // Commits that the log confirms at the same moment share a message. It is sent before they are answered, since an
      // answer waits until the read models show the commit.
      this.#pending ??= setImmediate(() => this.#announce([]));
    });
  }

  /** Announces a change of these users. Call it when the change can be read. */
  changed(...users: string[]): void {
    this.#announce(users);
  }

  stop(): void {
    this.#endBeat();
    clearImmediate(this.#pending);
  }

  #announce(users: string[]): void {
    clearImmediate(this.#pending);
    this.#pending = undefined;
    this.#sequence += 1;
    const recorded = Object.fromEntries(this.#recorded);
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users, recorded });
  }
}
