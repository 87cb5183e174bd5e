import { fastify, type FastifyInstance } from 'fastify';
import {
  endpointServers,
  fileServers,
  integrationChanges,
  operationList,
  principalChanges,
  siteChanges,
  streamNews,
  type Embeds,
  type Operation,
} from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import type { App, Tracing } from '@scriptorium/platform';
import { requireOnlyInstallation } from '@scriptorium/platform/only-installation';
import { createAuthentication } from './auth/authentication.js';
import { createAuthenticator } from './auth/authenticator.js';
import { createSessionCookie } from './auth/cookies.js';
import type { GatewayConfig } from './config.js';
import { refuseUnusualRequests, serverOptions } from './server/server-options.js';
import { silentLogger, type Logger } from './server/logger.js';
import { once } from './once.js';
import { gatewayPlugin, type Observe } from './plugin.js';
import { createClient, createRecentWrites, type RecentWrites } from './services/client.js';
import { createByteServers, type ByteServers } from './services/byte-servers.js';
import { createEndpointsHost } from './endpoints/endpoints-host.js';
import { createFilesHost } from './files/files-host.js';
import { createReadiness, servicesOf, type Readiness } from './services/readiness.js';
import { createCounting } from './rates/counting.js';
import { createRates, type Rates } from './rates/rates.js';
import { createStreams, type Streams } from './streams/streams.js';

/** A running gateway, as one app of a process. */
export interface Gateway extends App {
  /** Where it listens: `http://host:port`. */
  address: string;
  /** Where it serves bytes of files. */
  filesAddress: string;
  /** Where integrations answer. */
  endpointsAddress: string;
  /** The number of open streams. */
  streams(): number;
}

export interface GatewayOptions {
  logger?: Logger;
  observe?: Observe;
  tracing?: Tracing;
  /** The operations to route instead of the product's. */
  table?: readonly Operation[];
  /** The lookups of embedded resources, instead of the product's. */
  lookups?: Embeds;
  /** The memory of what callers recorded, instead of an own one. */
  recentWrites?: RecentWrites;
}

/**
 * Starts a gateway: connects to NATS, then listens. Rejects with `unavailable` when no NATS server answers, with
 * `ConfigError` when another installation works there, and with the system's error when the port is taken.
 */
export async function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const logger = options.logger ?? silentLogger;
  const messaging = await connectMessaging({
    url: config.natsUrl,
    name: 'gateway',
    namespace: config.namespace,
    logger,
  });
  const state = { stopping: false };
  try {
    const { keys, namespace } = config;
    await requireOnlyInstallation({ messaging, keys, namespace, logger });
    const { host, beside, streams, readiness } = await createHosts(config, messaging, state, { ...options, logger });
    const address = await host.listen({ host: config.host, port: config.port });
    const { filesAddress, endpointsAddress } = await listenBeside(host, beside, config);
    return {
      name: 'gateway',
      address,
      filesAddress,
      endpointsAddress,
      streams: () => streams.count(),
      checks: () => readiness.checks(),
      stop: once(async () => {
        await stop([beside.files, beside.endpoints, host], messaging, config, state);
        await options.tracing?.stop();
      }),
    };
  } catch (error) {
    await messaging.close();
    throw error;
  }
}

interface State {
  stopping: boolean;
}

async function startRates({ rates: limits }: GatewayConfig, messaging: Messaging): Promise<Rates> {
  const rates = createRates({
    limits,
    publish: (subject, body) => void messaging.publish(subject, body),
    subscribe: (subject, handler) => messaging.subscribe(subject, handler),
  });
  await rates.start();
  return rates;
}

function startReadiness(
  { readyServices, readyFile }: GatewayConfig,
  messaging: Messaging,
  table: readonly Operation[],
): Readiness {
  return createReadiness({
    client: messaging.client(),
    nats: () => messaging.status(),
    services: readyServices.length === 0 ? servicesOf(table) : readyServices,
    file: readyFile,
  });
}

/** Everything that uses the connection to the services. */
async function connected(config: GatewayConfig, messaging: Messaging, writes: RecentWrites) {
  const rates = await startRates(config, messaging);
  const client = createClient(messaging.client(), writes);
  const authenticators = {
    token: createAuthenticator({ client, keys: config.keys }),
    session: createAuthenticator({ client, keys: config.keys, kind: 'session' }),
    content: createAuthenticator({ client, keys: config.keys, kind: 'content' }),
    integration: createAuthenticator({ client, keys: config.keys, kind: 'integration' }),
  };
  await messaging.subscribe(principalChanges, (bytes) => {
    authenticators.token.receive(bytes);
    authenticators.session.receive(bytes);
  });
  await messaging.subscribe(siteChanges, (bytes) => authenticators.content.receive(bytes));
  await messaging.subscribe(integrationChanges, (bytes) => authenticators.integration.receive(bytes));
  const streams = createStreams({ limits: config.streams, authenticators });
  await messaging.subscribe(streamNews, (bytes) => streams.receive(bytes));
  messaging.onReconnect(() => streams.wakeAll());
  const cookie = createSessionCookie(config.publicUrl);
  const counting = createCounting({ authenticate: createAuthentication({ authenticators, cookie }), rates });
  return { client, cookie, counting, rates, streams };
}

/** The servers on origins of their own. */
interface Beside {
  files: FastifyInstance;
  endpoints: FastifyInstance;
}

/** Listens on the other origins; whatever fails, the first host does not go on alone. */
async function listenBeside(
  host: FastifyInstance,
  { files, endpoints }: Beside,
  config: GatewayConfig,
): Promise<{ filesAddress: string; endpointsAddress: string }> {
  try {
    const filesAddress = await files.listen({ host: config.host, port: config.files.port });
    const endpointsAddress = await endpoints.listen({ host: config.host, port: config.endpoints.port });
    return { filesAddress, endpointsAddress };
  } catch (error) {
    await Promise.all([host.close(), files.close()]);
    throw error;
  }
}

async function createHosts(
  config: GatewayConfig,
  messaging: Messaging,
  state: State,
  options: GatewayOptions & { logger: Logger },
): Promise<{ host: FastifyInstance; beside: Beside; streams: Streams; readiness: Readiness }> {
  const { recentWrites = createRecentWrites(), logger } = options;
  const { client, cookie, counting, rates, streams } = await connected(config, messaging, recentWrites);
  const readiness = startReadiness(config, messaging, options.table ?? operationList);
  const host = fastify(serverOptions(config, counting));
  // Streams end first: closing the host waits for open connections.
  host.addHook('preClose', () => streams.stop());
  host.addHook('onClose', (_host, done) => {
    rates.stop();
    done();
  });
  host.server.maxConnections = config.maxConnections;
  refuseUnusualRequests(host.server, config, counting);
  await gatewayPlugin(host, {
    ...options,
    config,
    client,
    cookie,
    counting,
    streams,
    isReady: async () => !state.stopping && (await readiness.isReady()),
    isStopping: () => state.stopping,
  });
  const common = { config, rates, logger, isStopping: () => state.stopping };
  const beside = {
    files: await createFilesHost({ ...common, client, servers: await byteServers(messaging, fileServers) }),
    endpoints: await createEndpointsHost({ ...common, servers: await byteServers(messaging, endpointServers) }),
  };
  return { host, beside, streams, readiness };
}

async function byteServers(messaging: Messaging, subject: string): Promise<ByteServers> {
  const servers = createByteServers();
  await messaging.subscribe(subject, (bytes) => servers.receive(bytes));
  return servers;
}

async function stop(
  hosts: readonly FastifyInstance[],
  messaging: Messaging,
  config: GatewayConfig,
  state: State,
): Promise<void> {
  state.stopping = true;
  const cut = setTimeout(() => {
    for (const { server } of hosts) server.closeAllConnections();
  }, config.stopTimeoutMs);
  try {
    await Promise.all(hosts.map((host) => host.close()));
  } finally {
    clearTimeout(cut);
    await messaging.close();
  }
}
