import { AppError } from '@scriptorium/contracts';

interface Bounds {
  /** Calls at once, in this process. An organization takes no more of them than it leaves for others. */
  mostAtOnce: number;
  /** Of one integration. */
  mostOfOne: number;
  /** ms */
  now: () => number;
}

/** For whom a script is called. */
export interface CallOf {
  integration: string;
  /** That has it installed, or publishes it. */
  organization: string;
}

const windowMs = 60_000;
const recordedInWindow = 20;
const mostKnown = 10_000;

/** Bounds what calls of scripts may take: how many are under way at once, and how many failures are recorded. */
export class CallSlots {
  readonly #bounds: Bounds;
  readonly #ofIntegrations = new Map<string, number>();
  readonly #ofOrganizations = new Map<string, number>();
  #all = 0;
  #window = { since: 0, recorded: new Map<string, number>() };

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Begins a call; the function that is returned ends it. @throws AppError `runtime_unavailable` */
  enter({ integration, organization }: CallOf): () => void {
    const free = this.#bounds.mostAtOnce - this.#all;
    const ofIntegration = this.#ofIntegrations.get(integration) ?? 0;
    const ofOrganization = this.#ofOrganizations.get(organization) ?? 0;
    const isTooMany = ofIntegration >= this.#bounds.mostOfOne || Math.max(ofIntegration, ofOrganization) > free;
    if (free === 0 || isTooMany)
      throw new AppError('runtime_unavailable', [], { message: 'Too many scripts are under way', retryAfter: 1 });
    this.#all += 1;
    add(this.#ofIntegrations, integration, 1);
    add(this.#ofOrganizations, organization, 1);
    return () => {
      this.#all -= 1;
      add(this.#ofIntegrations, integration, -1);
      add(this.#ofOrganizations, organization, -1);
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

function add(counts: Map<string, number>, key: string, more: number): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
