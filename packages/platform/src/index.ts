export { type AdminServer, type App, type Check, serveAdmin } from './process/admin.js';
export {
  ConfigError,
  parseConfig,
  processSettings,
  type ServiceConfig,
  serviceSettings,
  settingOfLimit,
} from './process/config.js';
export { type CursorBinding, type CursorKeys, Cursors } from './paging/cursors.js';
export { type AccessCheck, type AccessResolvers, type ResolveAccess } from './scope/resource-access.js';
export { ask, type Asking } from './scope/ask.js';
export { type Call, type Client, Handles, isForTag } from './handlers/handles.js';
export { base62, derivedId, newId } from './process/ids.js';
export {
  parseNetworks,
  createOutbound,
  hostOf,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound/index.js';
export { type IdempotencyStore } from './idempotency/idempotency-store.js';
export { microBatcher } from './idempotency/micro-batcher.js';
export { readAfterCreate, startBehind, requireLive, requireVisible, waitForProjections } from './scope/freshness.js';
export { Keyring, parseKeyring, type Purpose } from './process/keyring.js';
export {
  containing,
  countUpTo,
  findPage,
  keyed,
  keyset,
  pageBy,
  type ListQuery,
  type Page,
  type PageRequest,
} from './paging/list.js';
export { escapeHTML } from './escape-html.js';
export {
  type PublishedScript,
  integrationAssetsUrl,
  integrationImageUrl,
  originOfIntegration,
  publishedScriptUrl,
  publishedScriptVersion,
} from './process/integrations-origin.js';
export { createLogger, type Logger } from './observability/logging.js';
export {
  childMetrics,
  createRegistry,
  type Registry,
  requestMetrics,
  type RequestMetrics,
} from './observability/metrics.js';
export { Controller, Inject, Injectable, Module } from '@nestjs/common';
export { networkOf } from './process/network.js';
export { type ProcessContext, runProcess } from './process/process.js';
export { Redirect, CachedResponse, Reply, WithSession } from './handlers/answers.js';
export { type Demand } from './scope/quota.js';
export { type Signer, signingSecret } from './tokens/integration-signing.js';
export { type SealedName, type SealedTexts, sealedTexts } from './sealed/sealed-texts.js';
export { startService } from './service/service.js';
export {
  type Domain,
  type DomainParts,
  type OperationalIndexes,
  type ChangeRecorder,
  type ServiceDefinition,
  defineDomain,
  defineService,
  domainSettings,
  projectionsOf,
} from './service/domain.js';
export { Announcer } from './service/announcer.js';
export { ByteServer, type ByteServerOptions } from './service/byte-server.js';
export { ServiceContext } from './service/service-context.js';
export { showRun } from './service/show-run.js';
export { type Scope, withStore } from './scope/scope.js';
export { mayView, type Shown, visibleTo } from './requests/visibility.js';
export { untilDeadline } from './requests/call.js';
export { createChildPool, type ChildPool } from './workers/child-pool.js';
export { childTask, type ChildResult, type ChildTask } from './workers/child-task.js';
export { compiledModule, workerTask, type WorkerTask } from './workers/worker-task.js';
export { JobQueue } from './workers/job-queue.js';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './workers/worker-pool.js';
export { createTracing, noTracing, type SpanOptions, type Tracing } from './observability/tracing.js';
