import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';

/** The command of the timer that removes expired documents. */
export const sweepCommand = 'sweep_sign_in';

const everyMs = 3_600_000;

/** Removes expired documents from operational collections of a domain. */
export type Sweep = (scope: Scope) => Promise<void>;

/** Schedules the next sweep whenever people sign in. Without sign-ins nothing grows, so no sweep is needed. */
export class Sweeper {
  #scheduledFor = 0;

  constructor(private readonly context: ServiceContext) {}

  async schedule(correlation: string): Promise<void> {
    const next = Math.ceil((this.context.now() + 1) / everyMs) * everyMs;
    if (this.#scheduledFor === next) return;
    await this.context.store.timers.schedule({
      id: sweepCommand,
      at: next,
      command: sweepCommand,
      data: null,
      organization: null,
      correlation,
    });
    this.#scheduledFor = next;
  }
}

export function sweepHandler(context: ServiceContext, sweeps: readonly Sweep[]): TimerHandler {
  return async (_timer, store) => {
    const scope = context.scope(store);
    for (const sweep of sweeps) await sweep(scope);
  };
}
