import { z } from 'zod';
import { AppError } from '@scriptorium/contracts';
import { entityIdOf } from './streams.js';

/** The part of an organization that an event belongs to, if it belongs to one. */
const withinSchema = z.object({
  space: z.string().optional(),
  site: z.string().optional(),
  changeRequest: z.string().optional(),
});

/** Who caused an event: the kind of the principal (`user`, `integration`, `operator`, `system`, ...) and its id. */
const actorSchema = z.object({ kind: z.string(), id: z.string() });

/**
 * What every event has besides its payload. Audit log, feeds, export and erasure use `organization`; it is `null` only
 * for events that belong to no organization. `time` never decreases within a stream. Fields may only be added.
 */
export const metadataSchema = z.object({
  v: z.literal(1),
  actor: actorSchema,
  organization: z.string().nullable(),
  operation: z.string(),
  /** The request at the beginning of the chain of causes. */
  correlation: z.string(),
  /** The event to which a reactor reacted by writing this one. */
  causation: z.string().nullable(),
  time: z.iso.datetime(),
  /** The mark by which a repeated command is recognised. */
  idem: z.string().optional(),
  /** W3C `traceparent`, if the command was traced. */
  trace: z.string().optional(),
  /** The means by which the actor acted, unless that is a program with a token of theirs. */
  source: z.string().optional(),
  /** Ids of the space, site and change request that the event happened in. */
  within: withinSchema.optional(),
});

export type Within = z.output<typeof withinSchema>;
export type Actor = z.output<typeof actorSchema>;
export type Metadata = z.output<typeof metadataSchema>;

/**
 * What the caller of `handle` states about the command. `deadline` is in milliseconds since 1970 by the store's clock.
 */
export interface CommandContext {
  actor: Actor;
  organization: string | null;
  operation: string;
  correlation: string;
  causation?: string | undefined;
  idem?: string | undefined;
  deadline?: number | undefined;
  trace?: string | undefined;
  source?: string | undefined;
  within?: Within | undefined;
}

/**
 * The metadata of events that are recorded now. `time` is that of the clock, or the last one of the stream if that is
 * later.
 */
export function stamp(context: CommandContext, now: number, lastTime: string | undefined): Metadata {
  const time = new Date(now).toISOString();
  return {
    v: 1,
    actor: { kind: context.actor.kind, id: context.actor.id },
    organization: context.organization,
    operation: context.operation,
    correlation: context.correlation,
    causation: context.causation ?? null,
    time: lastTime !== undefined && lastTime > time ? lastTime : time,
    ...(context.idem === undefined ? {} : { idem: context.idem }),
    ...(context.trace === undefined ? {} : { trace: context.trace }),
    ...(context.source === undefined ? {} : { source: context.source }),
    ...(context.within === undefined ? {} : { within: context.within }),
  };
}

export type Schemas = Readonly<Record<string, z.ZodType>>;
type TypeIn<S> = keyof S & string;

/** Turns the payload of an earlier version into one that the present schema accepts. It runs before the schema. */
export type Upcaster = (stored: unknown) => unknown;

/** The events of one aggregate, or some of them: payload schemas by type. */
export interface EventTable<S extends Schemas = Schemas> {
  readonly schemas: S;
  readonly types: readonly string[];
  readonly upcasters: Readonly<Record<string, Upcaster | undefined>>;
  /** The same table with these types only, for a consumer that needs no others. */
  pick<K extends TypeIn<S>>(...types: readonly K[]): EventTable<Pick<S, K>>;
}

/** The events `{ type, data }` of a table, as a union discriminated by `type`. */
export type EventOf<T> = T extends { readonly schemas: infer S extends Schemas }
  ? { [K in TypeIn<S>]: { type: K; data: z.output<S[K]> } }[TypeIn<S>]
  : never;

export interface AnyEvent {
  type: string;
  data: unknown;
}

/**
 * Where and when an event was recorded. `position` is the commit position in the log, `created` the time of the server.
 */
export interface Envelope {
  id: string;
  stream: string;
  /** The id in the name of the stream. */
  entityId: string;
  revision: bigint;
  position: bigint;
  created: Date;
  meta: Metadata;
}

export type Recorded<E extends AnyEvent = AnyEvent> = E & Envelope;

/** An event as it is in the log, not validated. */
export interface RawEvent {
  id: string;
  type: string;
  data: unknown;
  metadata: unknown;
  stream: string;
  revision: bigint;
  position: bigint;
  created: Date;
}

/**
 * Declares the events of an aggregate. Payloads are parsed on append and on read, so schemas normally grow by a new
 * field with a default. A changed meaning is a new type. Type names are unique in the product.
 */
export function defineEvents<S extends Schemas>(
  schemas: S,
  upcasters: { readonly [K in TypeIn<S>]?: Upcaster } = {},
): EventTable<S> {
  return {
    schemas,
    types: Object.keys(schemas),
    upcasters,
    pick<K extends TypeIn<S>>(...types: readonly K[]): EventTable<Pick<S, K>> {
      const some = Object.fromEntries(types.map((type) => [type, schemas[type]])) as Pick<S, K>;
      return defineEvents(some, upcasters as { readonly [T in K]?: Upcaster });
    },
  };
}

/**
 * Validates a payload before it is recorded.
 * @throws AppError `unexpected` when it is invalid, which is a defect of the decision
 */
export function checkNew<E extends AnyEvent>(table: EventTable, event: E): E {
  const schema = table.schemas[event.type];
  if (schema === undefined) throw unreadable(`event type ${event.type} is not declared`);
  const parsed = schema.safeParse(event.data);
  if (!parsed.success) throw unreadable(`payload of a new ${event.type} is refused by its schema`, parsed.error);
  return { ...event, data: parsed.data };
}

/**
 * Reads a stored event with its table. Null when the table does not know the type, because a newer version wrote it.
 * @throws AppError `unexpected` that names the event, when payload or metadata are invalid
 */
export function readEvent<T extends EventTable>(table: T, raw: RawEvent): Recorded<EventOf<T>> | null {
  const schema = Object.hasOwn(table.schemas, raw.type) ? table.schemas[raw.type] : undefined;
  if (schema === undefined) return null;
  const upcast = table.upcasters[raw.type];
  const data = schema.safeParse(upcast === undefined ? raw.data : upcast(raw.data));
  if (!data.success) throw unreadable(`${nameOf(raw)} is refused by its schema`, data.error);
  return recorded(raw, data.data) as Recorded<EventOf<T>>;
}

function recorded(raw: RawEvent, data: unknown): Recorded {
  return {
    type: raw.type,
    data,
    id: raw.id,
    stream: raw.stream,
    entityId: entityIdOf(raw.stream),
    revision: raw.revision,
    position: raw.position,
    created: raw.created,
    meta: readMetadata(raw),
  };
}

/** The validated metadata of a stored event. */
export function readMetadata(raw: RawEvent): Metadata {
  const meta = metadataSchema.safeParse(raw.metadata);
  if (!meta.success) throw unreadable(`metadata of ${nameOf(raw)} is refused by its schema`, meta.error);
  return meta.data;
}

/** The name of an event in messages. It contains no payload, which may include personal data. */
export function nameOf(event: Pick<RawEvent, 'type' | 'id' | 'stream' | 'revision'>): string {
  return `event ${event.type} ${event.id} (${event.stream} @ ${event.revision})`;
}

function unreadable(message: string, error?: z.ZodError): AppError {
  const where = error?.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) ?? [];
  return new AppError('unexpected', where, { message });
}

/** The payload of one type in a union of events. */
export type EventDataOf<E extends AnyEvent, Type extends E['type']> = Extract<E, { type: Type }>['data'];

/**
 * The default branch of an `evolve`. The compiler checks that every declared type has a branch of its own, and events
 * of a newer version leave the state unchanged.
 */
export function unchanged<State>(state: State, _event: never): State {
  return state;
}
