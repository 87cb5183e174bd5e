import { deepStrictEqual, fail } from 'node:assert/strict';
import { AppError, type Reason } from '@scriptorium/contracts';
import { type Aggregate } from './aggregates/aggregate.js';
import { matches, withFields, type Projection } from './projections/projection.js';
import { type AnyEvent, type RawEvent, checkNew, type Metadata } from './events/events.js';
import { type Held, type Segment, foldSegment, plan } from './projections/held-documents.js';
import { type StoreScope } from './commands/store-scope.js';

export { openWithCredentials } from './events/client.js';

/** A scope of which some members are replaced. The others are those of the scope itself. */
export function withReplaced(scope: StoreScope, own: Partial<StoreScope>): StoreScope {
  return new Proxy(scope, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === 'function' && !(name in own) ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What follows from a history and a decision. Failures are assertion errors; nothing here needs a server. */
export interface Outcome<E> {
  /** These events, exactly and in this order. */
  then(expected: readonly E[]): void;
  /** A refusal for this reason. */
  thenFails(reason: Reason): void;
}

export interface Given<State, E> {
  readonly state: State;
  when(decide: (state: State) => readonly E[]): Outcome<E>;
}

/** Metadata for events in specs. */
export function someMetadata(more: Partial<Metadata> = {}): Metadata {
  const actor = { kind: 'user', id: 'actor' };
  return {
    v: 1,
    actor,
    organization: null,
    operation: 'spec',
    correlation: 'spec',
    causation: null,
    time: '2020-01-01T00:00:00.000Z',
    ...more,
  };
}

/** `given(team, [history]).when((state) => rename(state, input)).then([events])` or `.thenFails('not_found')`. */
export function given<State, E extends AnyEvent>(
  aggregate: Aggregate<State, E>,
  history: readonly NoInfer<E>[],
  meta: Partial<Metadata> = {},
): Given<State, E> {
  const metadata = someMetadata(meta);
  const state = history.reduce(
    (before, event) => aggregate.evolve(before, checkNew(aggregate.events, event), metadata),
    aggregate.initial,
  );
  return { state, when: (decide) => outcomeOf(aggregate, () => decide(state)) };
}

function outcomeOf<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, decide: () => readonly E[]): Outcome<E> {
  return {
    then(expected) {
      deepStrictEqual(
        decide().map((event) => checkNew(aggregate.events, event)),
        expected,
      );
    },
    thenFails(reason) {
      let events: readonly E[];
      try {
        events = decide();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        deepStrictEqual(error.reason, reason);
        return;
      }
      fail(`expected a refusal (${reason}), got ${events.map(({ type }) => type).join(', ') || 'no event'}`);
    },
  };
}

/** An event for `project`; what is left out is made up. Events follow each other in the order given. */
export interface SampleEvent extends AnyEvent {
  entityId?: string;
  id?: string;
  stream?: string;
  meta?: Partial<Metadata>;
}

/**
 * The documents a projection makes of these events, by id; removed ones are absent. Documents are frozen on the way.
 */
export function project<D extends object>(projection: Projection<D>, events: readonly SampleEvent[]): Map<string, D> {
  const held = new Map<string, Held>();
  feed(projection, held, rawEvents(events));
  return documents(held);
}

/** Like `project`, and asserts that delivering any beginning of the events twice changes nothing. */
export function redelivered<D extends object>(
  projection: Projection<D>,
  events: readonly SampleEvent[],
): Map<string, D> {
  const raws = rawEvents(events);
  const once = project(projection, events);
  for (let seen = 0; seen <= raws.length; seen += 1) {
    const held = new Map<string, Held>();
    feed(projection, held, raws.slice(0, seen));
    feed(projection, held, raws);
    deepStrictEqual(documents<D>(held), once);
  }
  return once;
}

function rawEvents(events: readonly SampleEvent[]): RawEvent[] {
  return events.map(({ type, data, entityId = 'e1', id, stream, meta }, index) => ({
    id: id ?? `event-${index}`,
    type,
    data,
    metadata: someMetadata(meta),
    stream: stream ?? `spec.spec.entity-${entityId}`,
    revision: BigInt(index),
    position: BigInt(index) * 10n,
    created: new Date(Date.UTC(2020, 0, 1) + index),
  }));
}

function feed<D extends object>(projection: Projection<D>, held: Map<string, Held>, events: readonly RawEvent[]): void {
  const { segments, poison } = plan(projection, events);
  for (const segment of segments) {
    for (const { doc } of held.values()) deepFreeze(doc);
    const failed = foldSegment(segment, held);
    if (failed !== undefined) throw failed.error;
    for (const [id, target] of held) held.set(id, { ...target, stored: true });
    if (segment.then !== undefined) feedWhere(held, segment.then);
  }
  if (poison !== undefined) throw poison.error;
}

function feedWhere(held: Map<string, Held>, { write, position }: NonNullable<Segment['then']>): void {
  const where = 'setWhere' in write ? write.setWhere : write.removeWhere;
  for (const [id, { doc, at }] of held) {
    if (doc === null || at >= position || !matches(doc, where)) continue;
    held.set(id, {
      doc: 'fields' in write ? withFields(doc, write.fields) : null,
      at: position,
      stored: true,
      dirty: true,
    });
  }
}

function documents<D extends object>(held: ReadonlyMap<string, Held>): Map<string, D> {
  return new Map([...held].flatMap(([id, { doc }]) => (doc === null ? [] : [[id, doc as D] as const])));
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}

export { dropDatabases } from './database/drop-databases.js';
export { eventually } from './eventually.js';
