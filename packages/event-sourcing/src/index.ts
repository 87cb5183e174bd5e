export { type Aggregate, type AggregateDefinition, type Evolve, defineAggregate } from './aggregates/aggregate.js';
export { type Broadcast, localBroadcast } from './process/broadcast.js';
export { type Conditions, type StreamState, type WrittenByType } from './commands/work.js';
export { type HandleOptions } from './commands/handle.js';
export { type NewTimer } from './commands/timer-request.js';
export { type StoreScope } from './commands/store-scope.js';
export { type ConsumerState, type Problem } from './leases/consumers.js';
export {
  type CollectionIndexes,
  type IndexSpec,
  asAppError,
  createIndexes,
  isDuplicate,
  positionFrom,
} from './database/database.js';
export {
  type AnyEvent,
  type EventDataOf,
  type EventOf,
  type EventTable,
  type Recorded,
  type Upcaster,
  defineEvents,
  unchanged,
  type Actor,
  type CommandContext,
  type Metadata,
  type Within,
  metadataSchema,
} from './events/events.js';
export { type Decide, type Done, type Made, type Making, type RecordedCommit, type Seen } from './commands/command.js';
export { type Health, type ProjectionHealth, type ReactorHealth } from './store/health.js';
export { type Ids, systemIds } from './process/ids.js';
export { type Keyed, emptyKeyed, keyedDrop, keyedEntries, keyedGet, keyedPut } from './aggregates/keyed.js';
export { type Logger, type StoreMetrics, silentLogger } from './process/observe.js';
export {
  type AnyProjection,
  type Projection,
  type ProjectedOf,
  type Where,
  type Write,
  projection,
} from './projections/projection.js';
export { type Past, type Until } from './aggregates/past.js';
export { type Reactor, reactor } from './reactors/reactor.js';
export { type Rebuilt } from './rebuild/rebuild.js';
export { type Claim, type ReservationKind } from './commands/reservation-request.js';
export { type Reservations } from './reservations/reservations.js';
export { type ReservationOptions, type StoreOptions } from './store/options.js';
export { type Parked } from './reactors/parked.js';
export { dropDerived } from './database/drop-derived.js';
export { type PositionOutcome, type Written } from './projections/wait.js';
export {
  type DependentCache,
  type VersionedCache,
  createDependentCache,
  createVersionedCache,
} from './read-models/versioned-cache.js';
export {
  type DocumentIndex,
  type IndexSource,
  type IndexWork,
  type IndexedGroup,
  createDocumentIndex,
  noIndexWork,
} from './read-models/document-index.js';
export { type ReadModel, type Stored, alive, readable } from './read-models/read-model.js';
export { runEvents, runOf } from './runs/run.js';
export {
  type RunFailure,
  type RunOutcome,
  type RunProgress,
  type NewRun,
  type RunKind,
  type RunView,
} from './commands/run-request.js';
export { type RunFilter } from './runs/run-documents.js';
export { defineRun } from './runs/run-kind.js';
export {
  type RunContext,
  type RunHandler,
  type RunSteps,
  type StepOutcome,
  runHandler,
} from './runs/engine/run-steps.js';
export { type Runs } from './runs/runs.js';
export { type Store, createStore } from './store/store.js';
export { type DueTimer, type ListedTimer, type TimerHandler } from './timers/timers.js';
export { type KeyedQueue, createKeyedQueue } from './process/queues.js';
export { type InspectedServer, inspectEventStore, inspectMongo } from './events/inspect-servers.js';
export { entityIdOf, streamName, streamOf } from './events/streams.js';
export { type Clock, everyBeat, pause, systemClock, untilBeat, within } from './process/time.js';
export { type MovedLog, firstEventId, moveLog } from './moving/move-log.js';
export { moveDocuments, namedPositions } from './moving/move-documents.js';
export { claimTarget, isInUse, releaseTarget } from './moving/move-target.js';
export { faultOfEventStoreAddress, faultOfMongoAddress } from './moving/server-address.js';
export { type DataServers, type Move } from './moving/move.js';
export { type PositionPlaces } from './moving/moved-positions.js';
