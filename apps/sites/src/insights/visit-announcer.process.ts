import { announceVisits, visitBounds, type Visit } from '@scriptorium/contracts';
import { ask, type ServiceContext } from '@scriptorium/platform';
import { counter } from '@scriptorium/platform/metrics';
import { LRUCache } from 'lru-cache';
import { receiversIn, type HasReceiver } from './receivers.queries.js';

/** How long visits wait for more of them, and how long it is believed who is told of them, ms. */
const waitMs = 1_000;
/** Visits that wait. While they cannot be told, more are dropped. */
const mostWaiting = 2_000;
/** Organizations of which it is known who is told. */
const mostKnown = 1_000;
/** Characters of one message as JSON; one visit has fewer. */
const mostCharacters = 256 * 1024;

type Parts = Pick<ServiceContext, 'store' | 'scope' | 'logger' | 'registry'>;

/**
 * Tells integrations what visitors do, at most once: visits wait for a second in the memory of this replica, and are
 * dropped when they cannot be told then. Nothing of them is stored.
 */
export class VisitAnnouncer {
  readonly #context: Parts;
  readonly #dropped: ReturnType<typeof counter>;
  readonly #receivers = new LRUCache<string, Promise<HasReceiver>>({ max: mostKnown, ttl: waitMs });
  #waiting: Visit[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(context: Parts) {
    this.#context = context;
    const help = 'Visits of which integrations were not told';
    this.#dropped = counter(context.registry, 'scriptorium_visits_dropped_total', help, 'cause');
  }

  /** Whether anybody is told of visits of a site of an organization. */
  async receivers(organization: string): Promise<HasReceiver> {
    const known = this.#receivers.get(organization);
    if (known !== undefined) return known;
    const found = receiversIn(this.#scope(), organization).catch((err: unknown): HasReceiver => {
      // A visit is counted all the same, and nobody is told of it.
      this.#context.logger.warn({ err }, 'it is not known who is told of visits');
      return () => false;
    });
    this.#receivers.set(organization, found);
    return found;
  }

  /** Has visits told soon. */
  add(visits: readonly Visit[]): void {
    if (this.#isStopped) return;
    const taken = visits.slice(0, Math.max(0, mostWaiting - this.#waiting.length));
    this.#waiting.push(...taken);
    this.#drop('too_many', visits.length - taken.length);
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#tell(), waitMs).unref();
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
    clearTimeout(this.#timer);
  }

  /** One message after the other. While they are sent, what comes waits for the next turn. */
  async #tell(): Promise<void> {
    const told = this.#waiting.splice(0);
    for (const visits of messagesOf(told)) {
      if (this.#isStopped) return;
      await ask(this.#scope(), announceVisits, { visits }).catch((err: unknown) => {
        this.#drop('unavailable', visits.length);
        this.#context.logger.warn({ err, visits: visits.length }, 'integrations were not told of visits');
      });
    }
    this.#timer = undefined;
    this.add([]);
  }

  #drop(cause: 'too_many' | 'unavailable', visits: number): void {
    if (visits > 0) this.#dropped.inc({ service: 'sites', cause }, visits);
  }

  #scope() {
    const operation = 'announce_visits';
    const actor = { kind: 'system', id: operation };
    const { store } = this.#context;
    return this.#context.scope(store.scope({ actor, organization: null, operation, correlation: operation }));
  }
}

/** Visits in messages that are not too large. Pure. */
export function messagesOf(visits: readonly Visit[]): Visit[][] {
  const messages: Visit[][] = [];
  let characters = 0;
  for (const visit of visits) {
    const size = JSON.stringify(visit).length;
    const last = messages.at(-1);
    if (last === undefined || last.length >= visitBounds.visits || characters + size > mostCharacters) {
      messages.push([visit]);
      characters = size;
    } else {
      last.push(visit);
      characters += size;
    }
  }
  return messages;
}
