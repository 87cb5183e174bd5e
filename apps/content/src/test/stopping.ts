import { randomUUID } from 'node:crypto';
import { createStore, type Store, type StoreScope } from '@scriptorium/event-sourcing';
import { withReplaced } from '@scriptorium/event-sourcing/testing';
import type { Rig } from './own-rig.js';

/**
 * A process that stops after some effects: events that it records, streams that it erases, and what `stop` is called
 * before.
 */
export interface Stopping {
  store: StoreScope;
  /** An effect is about to happen. @throws Error when the process has stopped */
  step(): void;
}

/** Timers that these processes schedule; the replicas of the rig fire them. */
const timers = { drop_late_objects: () => Promise.resolve() };

/** Makes processes that stop, over the log and the read models of a rig. */
export function stoppingProcesses(rig: Rig): {
  after: (effects: number, organization: string) => Stopping;
  close: () => Promise<unknown>;
} {
  const opened: Store[] = [];
  const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = rig.config;
  const after = (effects: number, organization: string): Stopping => {
    // Opening a store needs an id as well, which must not count.
    let left = Number.POSITIVE_INFINITY;
    const step = (): void => {
      left -= 1;
      if (left < 0) throw new Error('killed');
    };
    const uuid = (): string => {
      step();
      return randomUUID();
    };
    const store = createStore({ service: 'content', namespace, eventstoreUrl, mongoUrl, ids: { uuid }, timers });
    opened.push(store);
    left = effects;
    const actor = { kind: 'user', id: rig.owner.id } as const;
    const scope = store.scope({ actor, organization, operation: 'spec', correlation: 'spec' }, {});
    const erase: StoreScope['erase'] = (...given) => {
      step();
      return scope.erase(...given);
    };
    // The projections run in the replicas of the rig.
    const own = { erase, isLive: () => true };
    return { store: withReplaced(scope, own), step };
  };
  return { after, close: () => Promise.all(opened.map((store) => store.stop())) };
}
