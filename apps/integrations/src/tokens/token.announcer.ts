import { randomUUID } from 'node:crypto';
import { reachReadModels } from '@scriptorium/access';
import { integrationChanges, type PrincipalChange } from '@scriptorium/contracts';
import { everyBeat } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

const beatMs = 250;

/** The events of which the read models are made that say what installations reach. */
const reachTypes: ReadonlySet<string> = new Set(reachReadModels.flatMap(({ types }) => [...types]));
/** After these, tokens may do something else than before. */
const tokenTypes: ReadonlySet<string> = new Set([
  'IntegrationPublished',
  'IntegrationUnpublished',
  'IntegrationSigningRotated',
  'IntegrationUninstalled',
  'InstallationConfigured',
  'InstallationScopesGranted',
  'InstallationPaused',
  'InstallationResumed',
  'InstallationSigningRotated',
]);

/**
 * Tells the gateways in which organizations tokens may do something else, so that they ask again, and services up to
 * which position their read models have to be. Each replica announces what it recorded before that is answered, and
 * sends a heartbeat every 250 ms. A gateway that misses a message asks about all tokens.
 */
export class TokenAnnouncer {
  readonly #epoch = randomUUID();
  readonly #publish: (change: PrincipalChange) => void;
  readonly #endBeat: () => void;
  /** Position of the last event that this replica recorded, by kind of stream. */
  readonly #recorded = new Map<string, string>();
  #sequence = 0;

  constructor(context: Pick<ServiceContext, 'messaging' | 'onCommit'>) {
    this.#publish = (change) => context.messaging.publish(integrationChanges, Buffer.from(JSON.stringify(change)));
    this.#endBeat = everyBeat(beatMs, () => this.#announce([]));
    context.onCommit(({ entity, organization, position, types }) => {
      if (!types.some((type) => reachTypes.has(type))) return;
      // Commits may be confirmed in another order than they have in the log.
      const before = BigInt(this.#recorded.get(entity) ?? -1);
      this.#recorded.set(entity, String(position > before ? position : before));
      const isAboutTokens = organization !== null && types.some((type) => tokenTypes.has(type));
      this.#announce(isAboutTokens ? [organization] : []);
    });
  }

  stop(): void {
    this.#endBeat();
  }

  #announce(organizations: readonly string[]): void {
    this.#sequence += 1;
    const recorded = Object.fromEntries(this.#recorded);
    this.#publish({ epoch: this.#epoch, sequence: this.#sequence, users: [...organizations], recorded });
  }
}
