import { createStore, type Store } from '@scriptorium/event-sourcing';
import type { Rig, RigConfig } from './rig.js';

/** A rig, and the log and the read models of a service. */
export type RigWithStore = Rig & {
  /**
   * Another store of the service: for what a process wrote that died right after, and for what HTTP does not show. Runs
   * nothing.
   */
  store: Store;
};

/** Opens another store of a service. It runs nothing, and whoever opens it stops it. */
export function openStore(config: RigConfig, service: string): Store {
  const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = config;
  return createStore({ service, namespace, eventstoreUrl, mongoUrl });
}

/** Opens the store of a service of a rig; it is closed with the rig. */
export function withStore(rig: Rig, service: string): RigWithStore {
  const store = openStore(rig.config, service);
  return {
    ...rig,
    store,
    async stop() {
      await store.stop();
      await rig.stop();
    },
  };
}
