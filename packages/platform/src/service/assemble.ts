import {
  createIndexes,
  type AnyProjection,
  type Reactor,
  type ReservationKind,
  type RunHandler,
  type Store,
  type TimerHandler,
} from '@scriptorium/event-sourcing';
import type { Check } from '../process/admin.js';
import type { AccessResolvers } from '../scope/resource-access.js';
import { projectionsOf, type Domain, type DomainParts, type ObjectType, type ChangeRecorder } from './domain.js';
import type { ServiceContext } from './service-context.js';

/** An object of a domain that works by itself, such as a server. */
export interface Startable {
  start(): Promise<void>;
  stop(): void | Promise<void>;
}

/** The parts of all domains of a service. */
export interface Assembly {
  objects: readonly object[];
  projections: readonly AnyProjection[];
  reactors: readonly Reactor[];
  timers: Readonly<Record<string, TimerHandler>>;
  runs: readonly RunHandler[];
  reservations: readonly ReservationKind[];
  /** Called when the store is open. */
  resolvers(): AccessResolvers;
  /** The state of parts of the domains. */
  checks: readonly (() => Check)[];
  recovered: ChangeRecorder | undefined;
  changed: ChangeRecorder | undefined;
  /** The objects that are started when the store is open, and stopped before it. */
  started: readonly Startable[];
  /** Stops the other objects that can be stopped. */
  stop(): Promise<void>;
}

/** Access to the installation, which every service resolves alike: operators' operations are about it. */
const installationAccess: AccessResolvers = {
  installation: (_scope, { operator }) =>
    Promise.resolve({
      parentVisible: true,
      exists: true,
      relations: new Set(operator ? ['anyone', 'operator'] : ['anyone']),
    }),
};

/** Creates the parts of the domains, in their order. `settings`: all settings of the process, by name. */
export function assemble(
  domains: readonly Domain[],
  context: ServiceContext,
  settings: Readonly<Record<string, unknown>>,
): Assembly {
  const objects: object[] = [];
  const use = <T>(type: ObjectType<T>): T => {
    const found = objects.find((object) => object instanceof type);
    if (found === undefined) throw new Error(`No domain has made a ${type.name}`);
    return found as T;
  };
  const partsOf = (domain: Domain): DomainParts<unknown> => ({ context, settings: ownSettings(domain, settings), use });
  for (const domain of domains) objects.push(...(domain.objects?.(partsOf(domain)) ?? []));
  return {
    objects,
    started: objects.filter(canStart),
    projections: projectionsOf({ domains }),
    reactors: domains.flatMap((domain) => [...(domain.reactors?.(partsOf(domain)) ?? [])]),
    timers: mergeAll(domains.map((domain) => domain.timers?.(partsOf(domain)) ?? {})),
    runs: domains.flatMap((domain) => [...(domain.runs?.(partsOf(domain)) ?? [])]),
    reservations: domains.flatMap((domain) => [...(domain.reservations?.(partsOf(domain)) ?? [])]),
    resolvers: () => ({
      ...installationAccess,
      ...mergeAll(domains.map((domain) => domain.resolvers?.(partsOf(domain)) ?? {})),
    }),
    checks: domains.flatMap((domain) => [...(domain.checks?.(partsOf(domain)) ?? [])]),
    recovered: domains.flatMap((domain) => domain.recovered?.(partsOf(domain)) ?? [])[0],
    changed: domains.flatMap((domain) => domain.changed?.(partsOf(domain)) ?? [])[0],
    async stop() {
      for (const object of objects.toReversed()) if (canStop(object) && !canStart(object)) await object.stop();
    },
  };
}

/** Creates the indexes of the operational collections. */
export async function createOperationalIndexes(domains: readonly Domain[], database: Store['database']): Promise<void> {
  await createIndexes(database, mergeAll(domains.map(({ indexes = {} }) => indexes)));
}

function ownSettings({ settings = {} }: Domain, all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, all[name]]));
}

/**
 * Joins records.
 * @throws when two of them have an entry of the same name
 */
function mergeAll<T extends object>(parts: readonly T[]): T {
  const names = parts.flatMap((part) => Object.keys(part));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`Two domains have ${twice}`);
  return Object.assign({}, ...parts) as T;
}

function canStop(object: object): object is { stop(): void | Promise<void> } {
  return 'stop' in object && typeof object.stop === 'function';
}

function canStart(object: object): object is Startable {
  return canStop(object) && 'start' in object && typeof object.start === 'function';
}
