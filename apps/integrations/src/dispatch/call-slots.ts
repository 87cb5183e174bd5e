import { AppError } from '@scriptorium/contracts';

interface Bounds {
  /** Calls at once, in this process. */
  mostAtOnce: number;
  /** Of one integration. */
  mostOfOne: number;
  /** ms */
  now: () => number;
}

const windowMs = 60_000;
const recordedInWindow = 20;
const mostKnown = 10_000;

/** Bounds what calls of scripts may take: how many are under way at once, and how many failures are recorded. */
export class CallSlots {
  readonly #bounds: Bounds;
  readonly #underWay = new Map<string, number>();
  #all = 0;
  #window = { since: 0, recorded: new Map<string, number>() };

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Begins a call; the function that is returned ends it. @throws AppError `runtime_unavailable` */
  enter(integration: string): () => void {
    const own = this.#underWay.get(integration) ?? 0;
    if (this.#all >= this.#bounds.mostAtOnce || own >= this.#bounds.mostOfOne)
      throw new AppError('runtime_unavailable', [], { message: 'Too many scripts are under way', retryAfter: 1 });
    this.#all += 1;
    this.#underWay.set(integration, own + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#underWay.get(integration) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(integration);
      else this.#underWay.set(integration, left);
    };
  }

  /** Whether one more failure of an integration is recorded: 20 within a minute, so that they do not fill the store. */
  mayRecord(integration: string): boolean {
    const now = this.#bounds.now();
    if (now - this.#window.since >= windowMs) this.#window = { since: now, recorded: new Map() };
    const { recorded } = this.#window;
    const count = recorded.get(integration) ?? 0;
    if (count >= recordedInWindow || (count === 0 && recorded.size >= mostKnown)) return false;
    recorded.set(integration, count + 1);
    return true;
  }
}
