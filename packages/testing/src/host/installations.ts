import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@scriptorium/platform';
import type { Installation, RigService, StartGateway } from '../installation.js';
import type { RigConfig } from '../rig.js';
import type { InstallationAnswer, InstallationRequest } from '../host-protocol.js';
import { startServersProcess, type RunningServers } from './servers.js';

/** What a workspace's rigs are made of. Services are loaded when a spec asks for the first rig. */
export interface HostOptions {
  /** By name. */
  services: Readonly<Record<string, () => Promise<Omit<RigService, 'name'>>>>;
  /** The services of a rig that names none. */
  usual: readonly [string, ...string[]];
  /** `settings`: those that a rig has of its own. */
  startGateway: (settings: Parameters<StartGateway>[0] & Readonly<Record<string, unknown>>) => ReturnType<StartGateway>;
}

interface Running extends Installation {
  replicas: Map<string, App>;
  stop(): Promise<void>;
}

/** The installations that a host runs, by namespace. */
export interface Installations {
  /** The one that specs share, or one that is started for the request. */
  open(request: InstallationRequest): Promise<InstallationAnswer>;
  close(namespace: string): Promise<void>;
  startReplica(namespace: string, service?: string): Promise<{ id: string }>;
  stopReplica(namespace: string, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Nothing is started before a spec asks for it. */
export function createInstallations(options: HostOptions): Installations {
  const running = new Map<string, Running>();
  let servers: Promise<RunningServers> | undefined;
  let shared: Promise<Running> | undefined;
  const start = async (request: InstallationRequest): Promise<Running> => {
    const installation = await startOne(options, request, await (servers ??= startServersProcess()));
    running.set(installation.config.NAMESPACE, installation);
    return installation;
  };
  const find = (namespace: string): Running => {
    const found = running.get(namespace);
    if (found === undefined) throw new Error(`There is no installation ${namespace}`);
    return found;
  };
  return {
    async open(request) {
      const alone = Object.keys(request).length > 0;
      const { endpoint, first, config } = await (alone ? start(request) : (shared ??= start({})));
      return { endpoint, first, config: reachOf(config), alone };
    },
    async close(namespace) {
      const ended = find(namespace);
      running.delete(namespace);
      await ended.stop();
    },
    async startReplica(namespace, service) {
      const installation = find(namespace);
      if (installation === (await shared)) throw new Error('A rig with replicas needs an installation alone');
      const id = `r${installation.replicas.size}`;
      installation.replicas.set(id, await installation.replica(service));
      return { id };
    },
    stopReplica: async (namespace, id) => find(namespace).replicas.get(id)?.stop(),
    async stop() {
      await Promise.allSettled([...running.values()].map((installation) => installation.stop()));
      await (await servers)?.stop();
    },
  };
}

function reachOf(config: Installation['config']): RigConfig {
  const { NAMESPACE, EVENTSTORE_URL, MONGODB_URL, NATS_URL, SECRET_KEYS, DATA_DIR } = config;
  return { NAMESPACE, EVENTSTORE_URL, MONGODB_URL, NATS_URL, SECRET_KEYS, DATA_DIR };
}

async function startOne(
  { services, usual, startGateway }: HostOptions,
  { variables = {}, services: names = usual, gateway }: InstallationRequest,
  { urls, isShared }: RunningServers,
): Promise<Running> {
  // A run of specs that need no rig does not load the platform.
  const { startInstallation } = await import('../installation.js');
  const [first, ...others] = await Promise.all(names.map((name) => load(services, name)));
  if (first === undefined) throw new Error('A rig has at least one service');
  const folder = await mkdtemp(join(tmpdir(), 'rig-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  const startOwnGateway: StartGateway = (settings) => startGateway({ ...settings, ...gateway });
  try {
    const installation = await startInstallation(
      { services: [first, ...others], startGateway: startOwnGateway, variables },
      { servers: urls, isShared, folder, ends },
    );
    return { ...installation, replicas: new Map<string, App>(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function load(services: HostOptions['services'], name: string): Promise<RigService> {
  const service = await services[name]?.();
  if (service === undefined) throw new Error(`The rigs of this workspace have no service ${name}`);
  return { ...service, name };
}
