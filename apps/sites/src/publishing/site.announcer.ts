import { randomUUID } from 'node:crypto';
import { previewsOf, siteChanges, type PrincipalChange } from '@scriptorium/contracts';
import { everyBeat } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

const beatMs = 250;
/** The streams on which it depends what content tokens open. */
const entities: ReadonlySet<string> = new Set(['sites.site', 'sites.publishing', 'sites.directory']);

/**
 * Tells the gateways in which organizations sites have changed, so that they ask again what content tokens open. Each
 * replica announces what it recorded, and sends a heartbeat every 250 ms. A gateway that misses a message asks about
 * all tokens.
 */
export class SiteAnnouncer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #endBeat: () => void;
  #sequence = 0;

  constructor(context: Pick<ServiceContext, 'messaging' | 'onCommit'>) {
    this.#publish = (change) => context.messaging.publish(siteChanges, Buffer.from(JSON.stringify(change)));
    this.#endBeat = everyBeat(beatMs, () => this.#announce([]));
    context.onCommit(({ entity, organization }) => {
      if (entities.has(entity) && organization !== null) this.#announce([organization]);
    });
  }

  /** What members of an organization may view has changed: previews open no more than their makers may view. */
  accessChanged(organization: string): void {
    this.#announce([previewsOf(organization)]);
  }

  /** Spaces of an organization have gone or come back: no token opens those that are gone. */
  spacesChanged(organization: string): void {
    this.#announce([organization, previewsOf(organization)]);
  }

  stop(): void {
    this.#endBeat();
  }

  #announce(users: readonly string[]): void {
    this.#sequence += 1;
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users: [...users] });
  }
}
