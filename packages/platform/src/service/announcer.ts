import { randomUUID } from 'node:crypto';
import type { PrincipalChange } from '@scriptorium/contracts';
import { everyBeat, type RecordedCommit } from '@scriptorium/event-sourcing';
import type { ServiceContext } from './service-context.js';

const beatMs = 250;

/** What a service announces about those whose tokens or rights it knows. */
export interface Announcements {
  /** Where it is announced. */
  subject: string;
  /** Each message names the position of the last commit that recorded one of these types, by kind of stream. */
  positionsOf?: ReadonlySet<string>;
  /** After which commits the tokens of a whole organization may do something else. */
  changesTokens?(this: void, commit: RecordedCommit): boolean;
}

/**
 * Tells the gateways whose tokens or rights have changed, and services up to which position their read models have to
 * be. Each replica announces what it recorded before that is answered, and sends a heartbeat every 250 ms. A gateway
 * that misses a message asks about all of them.
 */
export class Announcer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #endBeat: () => void;
  /** Position of the last event that this replica recorded, by kind of stream. */
  readonly #recorded: Map<string, string> | undefined;
  #sequence = 0;
  #pending: NodeJS.Immediate | undefined;

  constructor(context: Pick<ServiceContext, 'messaging' | 'onCommit'>, announcements: Announcements) {
    const { subject, positionsOf, changesTokens } = announcements;
    this.#publish = (change) => context.messaging.publish(subject, Buffer.from(JSON.stringify(change)));
    this.#endBeat = everyBeat(beatMs, () => this.#announce([]));
    this.#recorded = positionsOf === undefined ? undefined : new Map();
    context.onCommit((commit) => {
      if (positionsOf !== undefined && !commit.types.some((type) => positionsOf.has(type))) return;
      this.#note(commit);
      if (commit.organization !== null && changesTokens?.(commit) === true) this.#announce([commit.organization]);
      // Commits that the log confirms at the same moment share a message. It is sent before they are answered, since an
      // answer waits until the read models show the commit.
      else if (positionsOf !== undefined) this.#pending ??= setImmediate(() => this.#announce([]));
    });
  }

  /** Announces a change of these users, or organizations. Call it when the change can be read. */
  changed(...names: string[]): void {
    this.#announce(names);
  }

  stop(): void {
    this.#endBeat();
    clearImmediate(this.#pending);
  }

  /** Commits may be confirmed in another order than they have in the log. */
  #note({ entity, position }: RecordedCommit): void {
    const before = BigInt(this.#recorded?.get(entity) ?? -1);
    this.#recorded?.set(entity, String(position > before ? position : before));
  }

  #announce(users: string[]): void {
    clearImmediate(this.#pending);
    this.#pending = undefined;
    this.#sequence += 1;
    const recorded = this.#recorded && { recorded: Object.fromEntries(this.#recorded) };
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users, ...recorded });
  }
}
