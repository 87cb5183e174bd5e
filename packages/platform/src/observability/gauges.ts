import { within, type Store } from '@scriptorium/event-sourcing';
import { Gauge, type Registry } from 'prom-client';

/** The part of a store that says what waits in it now. */
type GaugedStore = Pick<Store, 'countParked' | 'health'> & { timers: Pick<Store['timers'], 'countByState'> };

interface Source {
  service: string;
  store: GaugedStore;
}

const patienceMs = 2_500;
const sources = new WeakMap<Registry, Source[]>();

/**
 * What waits in a service, counted whenever the metrics are read: timers, parked events, and projections by their
 * state. Every replica says the same of the database that all of them share. Nothing is said while it cannot be asked.
 */
export function storeGauges(registry: Registry, service: string, store: GaugedStore): void {
  const present = sources.get(registry);
  if (present !== undefined) return void present.push({ service, store });
  const all = [{ service, store }];
  sources.set(registry, all);
  define(registry, all, {
    name: 'scriptorium_timers',
    help: 'Timers that wait for their time, that are a minute late, and that failed too often',
    label: 'state',
    count: (of) => of.timers.countByState(),
  });
  define(registry, all, {
    name: 'scriptorium_parked_events',
    help: 'Events that reactors have given up, and those that wait behind them',
    count: async (of) => ({ '': await of.countParked() }),
  });
  define(registry, all, {
    name: 'scriptorium_projections',
    help: 'Projections by their state',
    label: 'state',
    count: async (of) => byState((await of.health()).projections),
  });
}

interface Definition {
  name: string;
  help: string;
  label?: string;
  /** The values by label. */
  count: (store: GaugedStore) => Promise<Readonly<Record<string, number>>>;
}

function define(registry: Registry, all: readonly Source[], { name, help, label, count }: Definition): void {
  new Gauge({
    name,
    help,
    labelNames: ['service', ...(label === undefined ? [] : [label])],
    registers: [registry],
    async collect() {
      // Nothing when there is no answer in time: other metrics must not wait for a server that is away.
      const soon = (store: GaugedStore) => within(patienceMs, help, count(store)).catch(() => ({}));
      const found = await Promise.all(all.map(async (source) => ({ source, values: await soon(source.store) })));
      this.reset();
      for (const { source, values } of found)
        for (const [value, number] of Object.entries(values))
          this.set({ service: source.service, ...(label === undefined ? {} : { [label]: value }) }, number);
    },
  });
}

function byState(projections: readonly { state: string }[]): Record<string, number> {
  const counts: Record<string, number> = { live: 0, building: 0, stopped: 0, unknown: 0 };
  for (const { state } of projections) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
