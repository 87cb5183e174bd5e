import { AppError } from '@scriptorium/contracts';
import { type z } from 'zod';
import { type Metadata, metadataSchema } from './metadata.js';
import { entityIdOf } from './streams.js';

export type Schemas = Readonly<Record<string, z.ZodType>>;
type TypeIn<S> = keyof S & string;

/** Turns the payload as it was stored long ago into what today's schema accepts. Runs before the schema. */
export type Upcaster = (stored: unknown) => unknown;

/** The events of one aggregate, or a part of them: type name -> payload schema. */
export interface EventTable<S extends Schemas = Schemas> {
  readonly schemas: S;
  readonly types: readonly string[];
  readonly upcasters: Readonly<Record<string, Upcaster | undefined>>;
  /** The same table with these types only, for a consumer that needs no others. */
  pick<K extends TypeIn<S>>(...types: readonly K[]): EventTable<Pick<S, K>>;
}

/** `{ type, data }` of a table, as a union discriminated by `type`. */
export type EventOf<T> = T extends { readonly schemas: infer S extends Schemas }
  ? { [K in TypeIn<S>]: { type: K; data: z.output<S[K]> } }[TypeIn<S>]
  : never;

export interface AnyEvent {
  type: string;
  data: unknown;
}

/** Where and when an event was recorded. `position` is the commit position in the log, `created` the server's time. */
export interface Envelope {
  id: string;
  stream: string;
  /** The id in the stream's name. */
  entityId: string;
  revision: bigint;
  position: bigint;
  created: Date;
  meta: Metadata;
}

export type Recorded<E extends AnyEvent = AnyEvent> = E & Envelope;

/** An event as the log holds it, nothing checked. */
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
 * Declares the events of an aggregate. Payloads are parsed on append and on read, so a new field with a default is the
 * normal way to grow; a changed meaning is a new type. Type names are unique in the product.
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
      const some = Object.fromEntries(types.map((type) => [type, schemas[type]])) as unknown as Pick<S, K>;
      return defineEvents(some, upcasters as { readonly [T in K]?: Upcaster });
    },
  };
}

/** Checks a payload that is about to be recorded; a refusal is a defect of the decision: `AppError('unexpected')`. */
export function checkNew<E extends AnyEvent>(table: EventTable, event: E): E {
  const schema = table.schemas[event.type];
  if (schema === undefined) throw unreadable(`event type ${event.type} is not declared`);
  const parsed = schema.safeParse(event.data);
  if (!parsed.success) throw unreadable(`payload of a new ${event.type} is refused by its schema`, parsed.error);
  return { ...event, data: parsed.data };
}

/**
 * A stored event as its table reads it, or `null` when the table does not know the type (written by a newer version).
 * Throws `AppError('unexpected')` naming the event when payload or metadata do not fit.
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

/** The metadata of a stored event, checked. */
export function readMetadata(raw: RawEvent): Metadata {
  const meta = metadataSchema.safeParse(raw.metadata);
  if (!meta.success) throw unreadable(`metadata of ${nameOf(raw)} is refused by its schema`, meta.error);
  return meta.data;
}

/** How messages to people name an event. No payload: it may hold personal data. */
export function nameOf(event: Pick<RawEvent, 'type' | 'id' | 'stream' | 'revision'>): string {
  return `event ${event.type} ${event.id} (${event.stream} @ ${event.revision})`;
}

function unreadable(message: string, error?: z.ZodError): AppError {
  const where = error?.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) ?? [];
  return new AppError('unexpected', where, { message });
}

/** The payload of one type of a union of events. */
export type EventDataOf<E extends AnyEvent, Type extends E['type']> = Extract<E, { type: Type }>['data'];

/**
 * The last branch of an `evolve`: the compiler sees to it that every declared type was handled before, and an event of a
 * newer version leaves the state as it is.
 */
export function unchanged<State>(state: State, _event: never): State {
  return state;
}
