import { fastify, type FastifyInstance } from 'fastify';
import { principalChanges, streamNews, type EmbedLookup, type Operation } from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import type { App, Tracing } from '@scriptorium/platform';
import { createAuthenticator } from './auth/authenticator.js';
import { createSessionCookie } from './auth/session-cookie.js';
import type { GatewayConfig } from './config.js';
import { answerOddExchanges, serverOptions } from './http/server-options.js';
import { gatewayPlugin } from './plugin.js';
import type { Logger, Observe } from './ports.js';
import { withSecondTries } from './second-try.js';
import { createCounting } from './rates/counting.js';
import { createRates, type Rates } from './rates/rates.js';
import { createStreams, type Streams } from './streams/streams.js';

/** A running gateway, as one app of a process. */
export interface Gateway extends App {
  /** Where it listens: `http://host:port`. */
  address: string;
  /** Streams that are open. */
  streams(): number;
}

export interface GatewayOptions {
  logger?: Logger;
  observe?: Observe;
  tracing?: Tracing;
  /** The operations to route instead of the product's. */
  table?: readonly Operation[];
  /** Who finds embedded resources, instead of the product's. */
  lookups?: Readonly<Record<string, EmbedLookup>>;
}

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Starts a gateway: connects to NATS, then listens. Rejects with `unavailable` when no NATS server answers, and with the
 * system's error when the port is taken.
 */
export async function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const logger = options.logger ?? silent;
  const messaging = await connectMessaging({ url: config.natsUrl, name: 'gateway', namespace: config.namespace, logger });
  const state = { stopping: false };
  try {
    const { host, streams } = await createHost(config, messaging, state, { ...options, logger });
    const address = await host.listen({ host: config.host, port: config.port });
    return {
      name: 'gateway',
      address,
      streams: () => streams.count(),
      checks: () => Promise.resolve([{ name: 'nats', ok: messaging.connected, detail: messaging.status().server }]),
      stop: once(async () => {
        await stop(host, messaging, config, state);
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

/** What works over the connection to the services. */
async function connected(config: GatewayConfig, messaging: Messaging) {
  const rates = await startRates(config, messaging);
  const client = withSecondTries(messaging.client());
  const authenticator = createAuthenticator({ client });
  const sessions = createAuthenticator({ client, kind: 'session' });
  await messaging.subscribe(principalChanges, (bytes) => {
    authenticator.receive(bytes);
    sessions.receive(bytes);
  });
  const streams = createStreams({ limits: config.streams, authenticators: { token: authenticator, session: sessions } });
  await messaging.subscribe(streamNews, (bytes) => streams.hear(bytes));
  messaging.onReconnect(() => streams.missed());
  const cookie = createSessionCookie(config.publicUrl);
  const counting = createCounting({ authenticator, sessions, cookie, rates });
  return { client, cookie, counting, rates, streams };
}

async function createHost(
  config: GatewayConfig,
  messaging: Messaging,
  state: State,
  options: GatewayOptions & { logger: Logger },
): Promise<{ host: FastifyInstance; streams: Streams }> {
  const { client, cookie, counting, rates, streams } = await connected(config, messaging);
  const host = fastify(serverOptions(config, counting));
  // Before the connections are looked at: a stream would hold its own for ever.
  host.addHook('preClose', () => streams.stop());
  host.addHook('onClose', (_host, done) => {
    rates.stop();
    done();
  });
  host.server.maxConnections = config.maxConnections;
  answerOddExchanges(host.server, config, counting);
  await gatewayPlugin(host, {
    config,
    client,
    cookie,
    counting,
    streams,
    logger: options.logger,
    isReady: () => messaging.connected && !state.stopping,
    isStopping: () => state.stopping,
    ...(options.tracing === undefined ? {} : { tracing: options.tracing }),
    ...(options.observe === undefined ? {} : { observe: options.observe }),
    ...(options.table === undefined ? {} : { table: options.table }),
    ...(options.lookups === undefined ? {} : { lookups: options.lookups }),
  });
  return { host, streams };
}

async function stop(host: FastifyInstance, messaging: Messaging, config: GatewayConfig, state: State): Promise<void> {
  state.stopping = true;
  const cut = setTimeout(() => host.server.closeAllConnections(), config.stopTimeoutMs);
  try {
    await host.close();
  } finally {
    clearTimeout(cut);
    await messaging.close();
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
