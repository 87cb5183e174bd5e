import 'reflect-metadata';
import { Module, type DynamicModule, type INestMicroservice, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { operationList, type OperatorOperations, type Service } from '@scriptorium/contracts';
import { createStore, type AnyProjection, type Broadcast, type Reactor, type ReservationKind, type Store } from '@scriptorium/event-sourcing';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { throwError } from 'rxjs';
import type * as z from 'zod';
import type { App, Check } from './admin.js';
import { limitsOf, type serviceSettings } from './config.js';
import { Cursors } from './cursors.js';
import { createDispatch, type Standings } from './dispatch.js';
import { parseKeyring } from './keyring.js';
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
  /** Asked for once the store is open. */
  standings(): Standings;
  /** Further dependencies of the controllers. */
  providers: readonly Provider[];
  /** Ends what runs beside the requests. */
  stop(): void;
}

const drainWithinMs = 3_000;

/**
 * Starts a service: connects it to the three servers, runs its projections and reactors, answers its operations.
 * The servers may come up later than the service: it waits for them and says so in its checks.
 */
export async function startService(definition: ServiceDefinition, config: ServiceConfig, process: ProcessContext): Promise<App> {
  const { service } = definition;
  const logger = process.logger.child({ service });
  const tracing = createTracing(service, config.OTEL_EXPORTER_OTLP_ENDPOINT);
  const keys = parseKeyring(config.SECRET_KEYS);
  const messaging = await connectMessaging({ url: config.NATS_URL, name: service, namespace: config.NAMESPACE, logger });
  const context = new ServiceContext({
    messaging,
    keys,
    logger,
    registry: process.registry,
    cursors: new Cursors(keys),
    now: Date.now,
    limits: limitsOf(config),
    urls: { api: `${base(config.PUBLIC_URL)}/v1`, app: base(config.APP_URL ?? config.PUBLIC_URL) },
  });
  const assembly = definition.assemble(context);
  const store = openStore(definition, assembly, config, context);
  context.attach(store);
  await store.start();
  const nest = await answerRequests(definition, assembly, context, tracing);
  return {
    name: service,
    checks: () => checks(store, messaging),
    async stop() {
      // Requests in flight are finished, but never at the price of leases that are not given back in time.
      await Promise.race([nest.close(), new Promise((resolve) => setTimeout(resolve, drainWithinMs).unref())]);
      assembly.stop();
      await store.stop();
      await messaging.close();
      await tracing.stop();
    },
  };
}

async function answerRequests(definition: ServiceDefinition, assembly: ServiceAssembly, context: ServiceContext, tracing: Tracing): Promise<INestMicroservice> {
  const { service } = definition;
  const nest = await NestFactory.createMicroservice(rootModule(definition, context, assembly), {
    logger: false,
    strategy: new ServiceTransport((endpoints) => {
      requireAll(service, endpoints);
      const dispatch = createDispatch(endpoints, assembly.standings());
      return context.messaging.serve(service, { handle: observed(dispatch, requestMetrics(context.registry, service), tracing) });
    }),
  });
  // Errors keep their reason across the wire: Nest's own filter would blur all of them.
  nest.useGlobalFilters({ catch: (error: unknown) => throwError(() => error) });
  await nest.listen();
  return nest;
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
  { reactors, reservations }: ServiceAssembly,
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
