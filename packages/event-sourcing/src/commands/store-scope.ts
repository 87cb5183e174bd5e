import { type Aggregate } from '../aggregates/aggregate.js';
import { type Actor, type AnyEvent, type CommandContext, type Within } from '../events/events.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type PositionOutcome, type Waits, type Written } from '../projections/wait.js';
import { type ReadModel } from '../read-models/read-model.js';
import { type Decide, type Done, type Made, type Making } from './command.js';
import { type Handle, type HandleOptions } from './handle.js';
import { type Claim, type ReservationKind, type ScopeReservations } from './reservation-request.js';
import { type NewRun, type RunCommands, type RunKind, type RunView } from './run-request.js';
import { type NewTimer } from './timer-request.js';
import { seenBy } from './seen-documents.js';
import { type Conditions, type Work, type WrittenByType, askPrecondition, noteRecorded } from './work.js';

/** What a scope does its work with. */
export interface ScopeParts extends Waits {
  handle: Handle;
  model<D extends object>(projection: Projection<D>): ReadModel<D>;
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State>;
  reservations(): ScopeReservations<StoreScope>;
  erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void>;
  schedule(timer: NewTimer): Promise<void>;
  runs(): RunCommands<StoreScope>;
}

interface Settings {
  context: CommandContext;
  /** Whether commands wait until projections show what they recorded, unless told. */
  waits: boolean;
  /** Told of each projection that is read. */
  note?: (projection: AnyProjection) => void;
}

/**
 * Everything that one request, reaction or timer reads and writes through. A scope derived from it records for another
 * organization, actor or step; all of them share what the work has done, and its conditions. A class, since each
 * request makes several: methods made anew for each of them were a tenth of what a read allocates.
 */
export class StoreScope {
  readonly #parts: ScopeParts;
  readonly #settings: Settings;
  readonly #work: Work;

  /** Begins a piece of work; `work` is that of the scope from which this one is derived. */
  constructor(parts: ScopeParts, settings: Settings, conditions: Conditions = {}, work?: Work) {
    this.#parts = parts;
    this.#settings = settings;
    this.#work = work ?? { ...conditions, position: undefined, positions: undefined, met: false, dryEvents: [] };
  }

  /** Whether nothing is recorded: what is no event must not happen either. */
  get dry(): boolean {
    return this.#work.dry === true;
  }

  /** Whether commands wait until projections show what they recorded, unless told. */
  get waits(): boolean {
    return this.#settings.waits;
  }

  /** Whether what is read is what everybody reads: neither tried out nor looked back on. */
  get present(): boolean {
    return !this.dry && this.#work.past === undefined;
  }

  /** What is recorded beside each event. */
  get context(): CommandContext {
    return this.#settings.context;
  }

  /** The same work; its events belong to this organization, or to none. */
  in(organization: string | null): this {
    return this.#recording({ organization });
  }

  /** The same work; its events happen in a space, a site or a change request. */
  within(place: Within): this {
    return this.#recording({ within: place });
  }

  /** The same work; its events are caused by somebody else. `source`: by what they acted, if not by a program. */
  as(actor: Actor, source?: string): this {
    return this.#recording({ actor, source });
  }

  /**
   * A step with an idempotency key of its own: for work that changes one stream more than once. Without a key it stays
   * so.
   */
  step(name: string): this {
    const { idem } = this.context;
    return idem === undefined ? this : this.#recording({ idem: `${idem}:${name}` });
  }

  /** The same work under this idempotency key, or none: for commands that do nothing when they are repeated. */
  keyed(idem: string | undefined): this {
    return this.#recording({ idem });
  }

  /** The same work, which tells `note` of each projection that is read through it. */
  noting(note: (projection: AnyProjection) => void): this {
    return this.#derived({ note });
  }

  /**
   * Runs a command: see `handler`. Then waits until the projections show what was recorded; longer than 2 s is counted,
   * and near the deadline it is `unavailable`: recorded, to be found by reading or by repeating with the same key.
   */
  async handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E>,
    { wait = this.waits, isNew, isLook }: HandleOptions = {},
  ): Promise<Done<State, E>> {
    const options = { context: this.context, work: this.#work, isNew, isLook };
    const done = await this.#parts.handle(aggregate, id, decide, options);
    if (wait) await this.shown(done);
    return done;
  }

  /**
   * Runs a command that makes something of the state before it is recorded, see `handler`. Waits as `handle` does when
   * something was recorded now.
   */
  async make<State, E extends AnyEvent, M extends Made<E>>(
    aggregate: Aggregate<State, E>,
    id: string,
    making: Making<State, E, M>,
  ): Promise<Done<State, E> & { made?: M }> {
    const options = { context: this.context, work: this.#work };
    const done = await this.#parts.handle(aggregate, id, making, options);
    if (this.waits && !done.repeated && done.events.length > 0) await this.shown(done);
    return done as Done<State, E> & { made?: M };
  }

  /** The documents of a projection, as this work sees them. */
  read<D extends object>(projection: Projection<D>): ReadModel<D> {
    this.#settings.note?.(projection);
    const model = this.#parts.model(projection);
    return this.present ? model : seenBy(this.#work, projection, model);
  }

  /** The present state of a stream, read from the log. */
  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State> {
    return this.#parts.load(aggregate, id);
  }

  /** See `ScopeReservations`. */
  reserve<T>(kind: ReservationKind, wish: Claim, append: () => Promise<T>): Promise<T> {
    return this.#parts.reservations().reserve(this, kind, wish, append);
  }

  /** See `ScopeReservations`. */
  giveUp<T>(kind: ReservationKind, wish: Omit<Claim, 'previous'>, append: () => Promise<T>): Promise<T> {
    return this.#parts.reservations().giveUp(this, kind, wish, append);
  }

  /** See `ScopeReservations`. */
  release(kind: ReservationKind, wish: Omit<Claim, 'previous'>): Promise<void> {
    return this.#parts.reservations().release(this, kind, wish);
  }

  /** Deletes a stream for good (personal data), and what is cached of it. A dry run deletes nothing. */
  async erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void> {
    if (!this.dry) await this.#parts.erase(aggregate, id);
  }

  /** Schedules a timer for the same organization and correlation. A dry run schedules nothing. */
  async schedule({ id, at, command, data }: Omit<NewTimer, 'organization' | 'correlation'>): Promise<void> {
    const { organization, correlation } = this.context;
    if (!this.dry) await this.#parts.schedule({ id, at, command, data, organization, correlation });
  }

  /** See `RunCommands`. */
  requestRun<I, S>(kind: RunKind<I, S>, run: NewRun<I>): Promise<RunView> {
    return this.#parts.runs().request(this, kind, run);
  }

  /** See `RunCommands`. */
  cancelRun(id: string): Promise<void> {
    return this.#parts.runs().cancel(this, id);
  }

  /** See `RunCommands`. */
  findRun(id: string): Promise<RunView | null> {
    return this.#parts.runs().find(id);
  }

  /** What the work has recorded so far, or had recorded before; `undefined` when that is nothing. */
  recorded(): WrittenByType | undefined {
    const { position, positions } = this.#work;
    if (position === undefined || positions === undefined) return undefined;
    return { position, types: [...positions.keys()], positions };
  }

  /** Asks the precondition of the request before another service changes something for it. */
  beforeElsewhere(): Promise<void> {
    return askPrecondition(this.#work, { position: -1n, types: [] });
  }

  /**
   * Counts what another service, or a faster reactor of this one, recorded for this work as recorded by it, and waits
   * until the projections of this service show it. `positions`: log position of the last event of each type. Throws
   * `unavailable` near the deadline.
   */
  async recordedElsewhere(positions: ReadonlyMap<string, bigint>): Promise<void> {
    if (positions.size === 0) return;
    for (const [type, position] of positions) noteRecorded(this.#work, { position, types: [type] });
    await this.#parts.waitForTypes(positions, this.context.deadline);
  }

  /** See `Waits`; until the deadline of this work. Of a dry run there is nothing to wait for. */
  async shown(written: Written): Promise<void> {
    if (!this.dry) await this.#parts.shown(written, this.context.deadline);
  }

  /** See `Waits`. */
  waitUntilVisible(written: Written): Promise<boolean> {
    return this.#parts.waitUntilVisible(written);
  }

  /** See `Waits`. */
  isLive(projections?: readonly Pick<AnyProjection, 'collection'>[]): boolean {
    return this.#parts.isLive(projections);
  }

  /** See `Waits`. */
  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint> {
    return this.#parts.written(projection);
  }

  /** See `Waits`. */
  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome> {
    return this.#parts.waitForPosition(position, ms);
  }

  /** See `Waits`. */
  isFormer(position: bigint): Promise<boolean> {
    return this.#parts.isFormer(position);
  }

  #recording(more: Partial<CommandContext>): this {
    return this.#derived({ context: { ...this.context, ...more } });
  }

  #derived(more: Partial<Settings>): this {
    return new StoreScope(this.#parts, { ...this.#settings, ...more }, {}, this.#work) as this;
  }
}
