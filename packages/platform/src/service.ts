import 'reflect-metadata';
import { join } from 'node:path';
import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { operationList, type OperatorOperations, type Service } from '@scriptorium/contracts';
import { createStore, type AnyProjection, type Broadcast, type Reactor, type ReservationKind, type Store, type TimerHandler } from '@scriptorium/event-sourcing';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { throwError } from 'rxjs';
import type * as z from 'zod';
import type { App, Check } from './admin.js';
import { createBegun, type Begun } from './begun.js';
import { limitsOf, type serviceSettings } from './config.js';
import { Cursors } from './cursors.js';
import { createDispatch, type Standings } from './dispatch.js';
import { parseKeyring } from './keyring.js';
import type { Call } from './handles.js';
import type { Logger } from './logging.js';
import { requestMetrics } from './metrics.js';
import { operatorController } from './operator.js';
import { observed } from './observed.js';
import type { ProcessContext } from './process.js';
import { ServiceContext } from './service-context.js';
import { storeMetrics } from './store-metrics.js';
import { createTracing, type Tracing } from './tracing.js';
import { ServiceTransport, type Endpoint } from './transport.js';

export type ServiceConfig = z.output<z.ZodObject<typeof serviceSettings>>;

/** What makes a service, besides its settings. */
export interface ServiceDefinition {
  service: Service;
  /** Nest modules of the service's domains. */
  modules: readonly Type[];
  /** The operators' operations of this service. */
  operator: OperatorOperations;
  projections: readonly AnyProjection[];
  /** What needs the service's context to be made. */
  assemble(context: ServiceContext): ServiceAssembly;
}

export interface ServiceAssembly {
  reactors: readonly Reactor[];
  /** Values that are unique in the service. */
  reservations: readonly ReservationKind[];
  /** What runs when a durable timer is due, by its command; reactors and handlers schedule them. */
  timers?: Readonly<Record<string, TimerHandler>>;
  /** Asked for once the store is open. */
  standings(): Standings;
  /** Records that an admin changes something without the single sign-on that is enforced. */
  recovered?: (call: Call, params: Readonly<Record<string, string>>) => Promise<void>;
  /** Further dependencies of the controllers. */
  providers: readonly Provider[];
  /** Ends what runs beside the requests. */
  stop(): void;
}

const drainWithinMs = 2_500;

/**
 * Starts a service: connects it to the three servers, runs its projections, reactors and timers, answers its operations.
 * The servers may come up later than the service: it waits for them and says so in its checks. When a step fails, or the
 * process ends in between, everything that had begun is ended before this rejects.
 */
export async function startService(definition: ServiceDefinition, config: ServiceConfig, process: ProcessContext): Promise<App> {
  const logger = process.logger.child({ service: definition.service });
  const begun = createBegun(logger);
  const forget = process.atEnd?.(() => begun.end());
  const stop = async (): Promise<void> => {
    await begun.end();
    forget?.();
  };
  try {
    const { store, messaging } = await start(definition, config, { ...process, logger }, begun);
    return { name: definition.service, checks: () => checks(store, messaging), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(definition: ServiceDefinition, config: ServiceConfig, { logger, registry }: ProcessContext, begun: Begun) {
  const { service } = definition;
  const tracing = createTracing(service, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  begun.add('tracing', () => tracing.stop());
  const messaging = await begun.step(connect(config, service, logger, begun));
  const keys = parseKeyring(config.SECRET_KEYS);
  const context = new ServiceContext({
    messaging,
    keys,
    logger,
    registry,
    cursors: new Cursors(keys),
    now: Date.now,
    limits: limitsOf(config),
    mail: { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, outbox: join(config.DATA_DIR, 'outbox') },
    saml: { signed: config.SAML_SIGNED },
    urls: { api: `${base(config.PUBLIC_URL)}/v1`, app: base(config.APP_URL ?? config.PUBLIC_URL) },
  });
  const assembly = definition.assemble(context);
  begun.add('what runs beside', () => assembly.stop());
  const store = openStore(definition, assembly, config, context);
  begun.add('the store', () => store.stop());
  context.attach(store);
  await begun.step(store.start());
  await begun.step(context.answers.start());
  await begun.step(answerRequests({ definition, assembly, context, tracing, begun }));
  return { store, messaging };
}

/** A connection that comes after the end has begun is closed as well. */
async function connect(config: ServiceConfig, name: string, logger: Logger, begun: Begun): Promise<Messaging> {
  const messaging = await connectMessaging({ url: config.NATS_URL, name, namespace: config.NAMESPACE, logger });
  begun.add('messaging', () => messaging.close());
  return messaging;
}

interface Answering {
  definition: ServiceDefinition;
  assembly: ServiceAssembly;
  context: ServiceContext;
  tracing: Tracing;
  begun: Begun;
}

async function answerRequests({ definition, assembly, context, tracing, begun }: Answering): Promise<void> {
  const { service } = definition;
  const nest = await NestFactory.createMicroservice(rootModule(definition, context, assembly), {
    logger: false,
    // Otherwise Nest ends the process by itself, with everything that has begun.
    abortOnError: false,
    strategy: new ServiceTransport((endpoints) => {
      requireAll(service, endpoints);
      const dispatch = createDispatch(endpoints, assembly.standings(), { store: context.store, answers: context.answers, recovered: assembly.recovered });
      return context.messaging.serve(service, { handle: observed(dispatch, requestMetrics(context.registry, service), tracing) });
    }),
  });
  // Errors keep their reason across the wire: Nest's own filter would blur all of them.
  nest.useGlobalFilters({ catch: (error: unknown) => throwError(() => error) });
  // Requests in flight are finished, but never at the price of leases that are not given back in time.
  begun.add('requests', () => Promise.race([nest.close(), new Promise<void>((resolve) => setTimeout(resolve, drainWithinMs).unref())]));
  await nest.listen();
}

/** Addresses are put together with slashes of their own, as in the gateway. */
function base(url: string): string {
  return url.replace(/\/+$/, '');
}

/** @throws for an operation of the service that no controller handles. */
function requireAll(service: Service, endpoints: ReadonlyMap<string, Endpoint>): void {
  const missing = operationList.find((op) => op.service === service && !endpoints.has(op.id));
  if (missing !== undefined) throw new Error(`Nothing handles ${missing.id}`);
}

function openStore(
  { service, projections }: ServiceDefinition,
  { reactors, reservations, timers }: ServiceAssembly,
  config: ServiceConfig,
  { messaging, keys, logger, registry }: ServiceContext,
): Store {
  return createStore({
    service,
    namespace: config.NAMESPACE,
    eventstoreUrl: config.EVENTSTORE_URL,
    mongoUrl: config.MONGODB_URL,
    broadcast: broadcastOver(messaging),
    metrics: storeMetrics(registry, service),
    logger,
    projections,
    reactors,
    ...(timers === undefined ? {} : { timers }),
    reservations: { key: keys.reservation, kinds: reservations },
  });
}

function broadcastOver(messaging: Messaging): Broadcast {
  return {
    publish: (subject, body) => void messaging.publish(subject, body),
    async subscribe(subject, handler) {
      const subscription = await messaging.subscribe(subject, handler);
      return { stop: () => void subscription.unsubscribe() };
    },
  };
}

@Module({})
class Root {}

function rootModule({ modules, operator }: ServiceDefinition, context: ServiceContext, { providers }: ServiceAssembly): DynamicModule {
  const shared: Provider[] = [{ provide: ServiceContext, useValue: context }, ...providers];
  const exports = shared.map((provider) => (typeof provider === 'function' ? provider : provider.provide));
  return { module: Root, global: true, imports: [...modules], controllers: [operatorController(operator)], providers: shared, exports };
}

async function checks(store: Store, messaging: Messaging): Promise<Check[]> {
  const health = await store.health();
  return [
    { name: 'eventstore', ok: health.eventStore === 'up' },
    { name: 'mongodb', ok: health.database === 'up' },
    { name: 'nats', ok: messaging.connected },
    ...health.projections.map(({ name, state, problem, trouble }) => ({
      name: `projection ${name}`,
      ok: state === 'live',
      detail: problem === undefined ? trouble : JSON.stringify(problem),
    })),
  ];
}
