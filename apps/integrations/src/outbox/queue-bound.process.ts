import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { countQueued, type AnyDelivery } from './deliveries.operational.js';
import { handlePause } from './pause.process.js';
import { handleDisabling } from './disable-webhook.process.js';
import { isForWebhook } from './webhook-deliveries.operational.js';

interface Parts {
  context: ServiceContext;
  /** The most that may wait for one installation. */
  mostQueued: number;
}

/** Installations of which it is remembered how much was planned for them. */
const mostRemembered = 10_000;
/** The part of the most that may wait for an installation; once so much was planned for it, it is counted again. */
const countedAfter = 0.01;

/** Who does not take what is delivered gets no more, so that what waits has a bound. */
export class QueueBound {
  readonly #parts: Parts;
  /** Planned for an installation since it was last counted how much waits for it. */
  readonly #sinceCounted = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Pauses installations, and disables webhooks, for which too much waits. `paused` is called for each. */
  async pauseFull(store: StoreScope, planned: readonly AnyDelivery[], paused: () => void): Promise<void> {
    const { context, mostQueued } = this.#parts;
    for (const one of this.#due(planned)) {
      const { installation, organization } = one;
      if ((await countQueued(context, installation, mostQueued + 1)) <= mostQueued) continue;
      const isPaused = isForWebhook(one)
        ? await handleDisabling(store, one, 'queue_full')
        : await handlePause(store.in(organization), installation, 'queue_full');
      if (!isPaused) continue;
      paused();
      context.logger.error({ installation }, 'An installation or webhook is paused, since too much waits for it');
    }
  }

  /** One delivery to each installation whose waiting deliveries are counted now. */
  #due(planned: readonly AnyDelivery[]): AnyDelivery[] {
    const due = new Map<string, AnyDelivery>();
    if (this.#sinceCounted.size >= mostRemembered) this.#sinceCounted.clear();
    for (const one of planned) {
      const { installation } = one;
      const since = (this.#sinceCounted.get(installation) ?? Infinity) + 1;
      const isDue = since >= this.#parts.mostQueued * countedAfter;
      if (isDue) due.set(installation, one);
      this.#sinceCounted.set(installation, isDue ? 0 : since);
    }
    return [...due.values()];
  }
}
