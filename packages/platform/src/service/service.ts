import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { operationList, type Service } from '@scriptorium/contracts';
import type { Store } from '@scriptorium/event-sourcing';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { throwError } from 'rxjs';
import type { App, Check } from '../process/admin.js';
import { createShutdownStack, type ShutdownStack } from '../process/shutdown-stack.js';
import { limitsOf, type ServiceConfig } from '../process/config.js';
import { Cursors } from '../paging/cursors.js';
import { createDispatch } from '../requests/dispatch.js';
import { createPrincipalReader } from '../tokens/signed-principal.js';
import { parseKeyring } from '../process/keyring.js';
import { requireOnlyInstallation } from '../process/only-installation.js';
import type { Logger } from '../observability/logging.js';
import { counter, requestMetrics, type Registry } from '../observability/metrics.js';
import { parseNetworks } from '../outbound/addresses.js';
import { createOutbound, type Outbound } from '../outbound/outbound.js';
import { assemble, createOperationalIndexes, type Assembly } from './assemble.js';
import type { ServiceDefinition } from './domain.js';
import { openStore } from './open-store.js';
import { operatorController } from './operator.js';
import { observed, ServiceTransport, type Endpoint } from '../handlers/transport.js';
import type { ProcessContext } from '../process/process.js';
import { ServiceContext } from './service-context.js';
import { createTracing, type Tracing } from '../observability/tracing.js';
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.js';

const drainWithinMs = 2_500;

/**
 * Starts a service: connects it to the three servers, runs its projections, reactors, timers and runs, and answers its
 * operations. The servers may start later than the service, which waits for them and reports that in its checks. When a
 * step fails, or the process ends during the start, everything that was started is stopped before this rejects.
 */
export async function startService(
  definition: ServiceDefinition,
  config: ServiceConfig,
  process: ProcessContext,
): Promise<App> {
  const logger = process.logger.child({ service: definition.service });
  const shutdown = createShutdownStack(logger);
  const forget = process.atEnd?.(() => shutdown.end());
  const stop = async (): Promise<void> => {
    await shutdown.end();
    forget?.();
  };
  try {
    const workers = process.workers ?? ownWorkers(config, shutdown);
    const { store, messaging, assembly } = await start(definition, config, { ...process, logger, workers }, shutdown);
    return { name: definition.service, checks: () => checks(store, messaging, assembly), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  definition: ServiceDefinition,
  config: ServiceConfig,
  { logger, registry, workers }: ProcessContext & { workers: WorkerPool },
  shutdown: ShutdownStack,
) {
  const { service } = definition;
  const tracing = await shutdown.step(createTracing(service, config.OTEL_EXPORTER_OTLP_ENDPOINT));
  shutdown.add('tracing', () => tracing.stop());
  const messaging = await shutdown.step(connect(config, service, logger, shutdown));
  const keys = parseKeyring(config.SECRET_KEYS);
  const context = new ServiceContext({
    messaging,
    keys,
    logger,
    registry,
    workers,
    outbound: outboundOf(config, registry, service),
    cursors: new Cursors(keys),
    now: Date.now,
    limits: limitsOf(config),
    urls: { api: `${base(config.PUBLIC_URL)}/v1`, app: base(config.APP_URL ?? config.PUBLIC_URL) },
  });
  const assembly = assemble(definition.domains, context, config);
  shutdown.add('the objects of the domains', () => assembly.stop());
  const store = openStore(definition, assembly, config, context);
  shutdown.add('the store', () => store.stop());
  context.attach(store, assembly.projections);
  await shutdown.step(store.start());
  await shutdown.step(context.idempotency.start());
  await shutdown.step(createOperationalIndexes(definition.domains, store.database));
  for (const object of assembly.started) {
    shutdown.add(object.constructor.name, () => object.stop());
    await shutdown.step(object.start());
  }
  await shutdown.step(answerRequests({ definition, assembly, context, tracing, shutdown }));
  return { store, messaging, assembly };
}

function outboundOf({ OUTBOUND_ALLOWED_NETWORKS }: ServiceConfig, registry: Registry, service: string): Outbound {
  const requests = counter(
    registry,
    'scriptorium_outbound_requests_total',
    'Requests to addresses that users gave',
    'outcome',
  );
  return createOutbound({
    allowed: parseNetworks(OUTBOUND_ALLOWED_NETWORKS),
    observe: (outcome) => requests.inc({ service, outcome }),
  });
}

/** Creates a worker pool for a process without one. */
function ownWorkers(
  { WORKER_THREADS: threads, WORKER_HEAP_MB: heapMb }: ServiceConfig,
  shutdown: ShutdownStack,
): WorkerPool {
  const workers = createWorkerPool({ threads, heapMb });
  shutdown.add('the worker pool', () => workers.stop());
  return workers;
}

/**
 * Connects to NATS, unless another installation works there. A connection that is made after the shutdown has begun is
 * closed as well.
 */
async function connect(
  config: ServiceConfig,
  name: string,
  logger: Logger,
  shutdown: ShutdownStack,
): Promise<Messaging> {
  const { NATS_URL: url, NAMESPACE: namespace, SECRET_KEYS } = config;
  const messaging = await connectMessaging({ url, name, namespace, logger });
  shutdown.add('messaging', () => messaging.close());
  await requireOnlyInstallation({ messaging, keys: parseKeyring(SECRET_KEYS), namespace, logger });
  return messaging;
}

interface Answering {
  definition: ServiceDefinition;
  assembly: Assembly;
  context: ServiceContext;
  tracing: Tracing;
  shutdown: ShutdownStack;
}

async function answerRequests({ definition, assembly, context, tracing, shutdown }: Answering): Promise<void> {
  const { service } = definition;
  const nest = await NestFactory.createMicroservice(rootModule(definition, context, assembly), {
    logger: false,
    // Otherwise Nest ends the process itself, without stopping what was started.
    abortOnError: false,
    strategy: new ServiceTransport((endpoints) => {
      requireAll(service, endpoints);
      const { store, idempotency, now } = context;
      const dispatch = createDispatch(endpoints, assembly.resolvers(), {
        store,
        idempotency,
        now,
        readPrincipal: createPrincipalReader(context.keys, now),
        scope: context.scope,
        cached: context.cached,
        recovered: assembly.recovered,
        changed: assembly.changed,
      });
      return context.messaging.serve(service, {
        handle: observed(dispatch, requestMetrics(context.registry, service), tracing),
      });
    }),
  });
  // Errors keep their reason across processes. Nest's own filter would remove it.
  nest.useGlobalFilters({ catch: (error: unknown) => throwError(() => error) });
  // Running requests are finished, but only as long as the leases can still be released in time.
  shutdown.add('requests', () => {
    context.beginToStop();
    return Promise.race([nest.close(), new Promise<void>((resolve) => setTimeout(resolve, drainWithinMs).unref())]);
  });
  await nest.listen();
}

/** Removes slashes at the end, since paths begin with one, as in the gateway. */
function base(url: string): string {
  return url.replace(/\/+$/, '');
}

/** @throws for an operation of the service without a handler */
function requireAll(service: Service, endpoints: ReadonlyMap<string, Endpoint>): void {
  const missing = operationList.find((op) => op.service === service && !endpoints.has(op.id));
  if (missing !== undefined) throw new Error(`Nothing handles ${missing.id}`);
}

@Module({})
class Root {}

function rootModule(
  { domains, operator }: ServiceDefinition,
  context: ServiceContext,
  { objects }: Assembly,
): DynamicModule {
  return {
    module: Root,
    controllers: [operatorController(operator), ...domains.flatMap(({ controllers = [] }) => [...controllers])],
    providers: [context, ...objects].map((object) => ({ provide: object.constructor, useValue: object })),
  };
}

async function checks(store: Store, messaging: Messaging, assembly: Assembly): Promise<Check[]> {
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
    ...assembly.checks.map((check) => check()),
  ];
}
