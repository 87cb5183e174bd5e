/** Integrations whose processes had to be ended too often. */
export interface Rests {
  /** Counts an end that the script has caused. Returns whether the integration rests from now on. */
  note(integration: string): boolean;
  /** Milliseconds until it may run again; 0 if it may. */
  left(integration: string): number;
}

export interface RestLimits {
  kills: number;
  withinMs: number;
  restMs: number;
}

const mostKept = 10_000;

export function createRests({ kills, withinMs, restMs }: RestLimits, now: () => number = Date.now): Rests {
  const noted = new Map<string, { kills: number[]; until: number }>();
  const forget = (): void => {
    for (const [integration, { kills: times, until }] of noted) {
      const isOver = until <= now() && (times.at(-1) ?? 0) + withinMs <= now();
      if (isOver || noted.size > mostKept) noted.delete(integration);
    }
  };
  return {
    note(integration) {
      forget();
      const { kills: before = [], until: last = 0 } = noted.get(integration) ?? {};
      const times = [...before.filter((time) => time + withinMs > now()), now()];
      const isTooOften = times.length >= kills;
      noted.delete(integration);
      noted.set(integration, isTooOften ? { kills: [], until: now() + restMs } : { kills: times, until: last });
      return isTooOften;
    },
    left: (integration) => Math.max(0, (noted.get(integration)?.until ?? 0) - now()),
  };
}
