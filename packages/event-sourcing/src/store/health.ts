import { type ConsumerState, type Problem } from '../leases/consumers.js';
import { type Runtime, isReady } from './runtime.js';
import { within } from '../process/time.js';

export interface ProjectionHealth {
  name: string;
  state: ConsumerState | 'unknown';
  /** This replica runs it. */
  held: boolean;
  position: bigint;
  /** The event it stopped at. */
  problem?: Problem;
  /** Why it pauses. */
  trouble?: string;
}

/** Reactors, and what else runs under a lease (`timers`, `maintenance`). */
export interface ReactorHealth {
  name: string;
  held: boolean;
  /** `-1n` for what does not read the log. */
  position: bigint;
  trouble?: string;
}

/** What `/readyz` and the operators' view are made of. */
export interface Health {
  /** Both servers answer and every projection is live or stopped. */
  ready: boolean;
  eventStore: 'up' | 'down';
  database: 'up' | 'down';
  projections: ProjectionHealth[];
  reactors: ReactorHealth[];
}

const patience = 2000;

/** Asks both servers, at most 2 s each. Never rejects. */
export async function healthOf(runtime: Runtime): Promise<Health> {
  const { events, consumers, projections, taskNames } = runtime;
  const names = projections.map(({ collection }) => collection);
  const [eventStore, consumerStates] = await Promise.all([
    events.tail(patience).then(
      () => 'up' as const,
      () => 'down' as const,
    ),
    within(patience, 'MongoDB', consumers.read([...names, ...taskNames])).catch(() => undefined),
  ]);
  const held = new Set(runtime.leases?.held().map(({ name }) => name));
  const trouble = new Map([...runtime.projector.trouble(), ...runtime.tasks.trouble()]);
  const common = (name: string) => {
    const pauses = trouble.get(name);
    const position = consumerStates?.get(name)?.position ?? runtime.progress.of(name)?.at ?? -1n;
    return { name, held: held.has(name), position, ...(pauses === undefined ? {} : { trouble: pauses }) };
  };
  return {
    ready: eventStore === 'up' && consumerStates !== undefined && isReady(runtime),
    eventStore,
    database: consumerStates === undefined ? 'down' : 'up',
    projections: names.map((name) => {
      const consumer = consumerStates?.get(name);
      const state = consumer?.state ?? runtime.progress.of(name)?.state ?? 'unknown';
      return { ...common(name), state, ...(consumer?.problem === undefined ? {} : { problem: consumer.problem }) };
    }),
    reactors: taskNames.map(common),
  };
}
