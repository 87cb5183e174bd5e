import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Servers, type World, createWorld, startServers } from './servers.js';

/**
 * Servers for the spec file and a world of its own for each of its tests; both are there once a test or a hook of it
 * runs.
 */
export function useWorld(): { readonly servers: Omit<Servers, 'stop'>; readonly world: Omit<World, 'close'> } {
  let servers: Servers;
  let world: World;
  beforeAll(async () => void (servers = await startServers()));
  afterAll(() => servers.stop());
  beforeEach(() => void (world = createWorld(servers)));
  afterEach(() => world.close());
  return {
    servers: {
      get eventstoreUrl() {
        return servers.eventstoreUrl;
      },
      get mongoUrl() {
        return servers.mongoUrl;
      },
      get keepsDatabases() {
        return servers.keepsDatabases;
      },
      restart: (which, between) => servers.restart(which, between),
    },
    world: {
      get namespace() {
        return world.namespace;
      },
      get broadcast() {
        return world.broadcast;
      },
      open: (more) => world.open(more),
    },
  };
}
