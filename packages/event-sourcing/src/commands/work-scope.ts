import { type Aggregate } from '../aggregates/aggregate.js';
import { type HandleOptions } from './command-scope.js';
import { type Decide, type Done } from './command.js';
import {
  type StreamState,
  type Work,
  type Written,
  type WrittenByType,
  askPrecondition,
  isPresent,
  noteRecorded,
} from './work.js';
import { type AnyEvent } from '../events/events.js';
import { type Actor, type CommandContext, type Within } from '../events/metadata.js';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type ReadModel } from '../read-models/read-model.js';
import { type PositionOutcome } from '../projections/wait-for-position.js';
import { seenBy } from './seen-documents.js';
import { type NewRun, type RunKind, type RunView } from './run-request.js';
import { type Claim, type ReservationKind } from './reservation-request.js';
import { type NewTimer, type ScopeParts, type StoreScope } from './store-scope.js';

interface Settings {
  context: CommandContext;
  /** Whether commands wait until projections show them, unless told. */
  waits: boolean;
  note: ((projection: AnyProjection) => void) | undefined;
}

/** A scope of a piece of work. `waits`: whether its commands wait until projections show them, unless told. */
export function createScope(parts: ScopeParts, work: Work, context: CommandContext, waits: boolean): StoreScope {
  return new WorkScope(parts, work, { context, waits, note: undefined });
}

/** What the precondition is asked with where no stream of this service is about to change. */
const noStream: StreamState = { position: -1n, types: [] };

/**
 * A class, since each request makes several: methods made anew for each of them were a tenth of what a read allocates.
 */
class WorkScope implements StoreScope {
  readonly #parts: ScopeParts;
  readonly #work: Work;
  readonly #settings: Settings;

  constructor(parts: ScopeParts, work: Work, settings: Settings) {
    this.#parts = parts;
    this.#work = work;
    this.#settings = settings;
  }

  get dry(): boolean {
    return this.#work.dry === true;
  }

  get waits(): boolean {
    return this.#settings.waits;
  }

  get present(): boolean {
    return isPresent(this.#work);
  }

  get context(): CommandContext {
    return this.#settings.context;
  }

  in(organization: string | null): this {
    return this.#derived({ organization });
  }

  within(within: Within): this {
    return this.#derived({ within });
  }

  as(actor: Actor, source?: string): this {
    return this.#derived({ actor, source });
  }

  step(name: string): this {
    const { idem } = this.context;
    return idem === undefined ? this : this.#derived({ idem: `${idem}:${name}` });
  }

  keyed(idem: string | undefined): this {
    return this.#derived({ idem });
  }

  noting(note: (projection: AnyProjection) => void): this {
    return this.#with({ ...this.#settings, note });
  }

  async handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E>,
    { wait = this.waits, isNew, fromMemory }: HandleOptions = {},
  ): Promise<Done<State, E>> {
    const work = this.#work;
    const done = await this.#parts.handle(aggregate, id, this.context, decide, { work, isNew, fromMemory });
    if (wait) await this.shown(done);
    return done;
  }

  reserve<T>(kind: ReservationKind, wish: Claim, append: () => Promise<T>): Promise<T> {
    return this.#parts.reservations().reserve(this, kind, wish, append);
  }

  giveUp<T>(kind: ReservationKind, wish: Omit<Claim, 'previous'>, append: () => Promise<T>): Promise<T> {
    return this.#parts.reservations().giveUp(this, kind, wish, append);
  }

  release(kind: ReservationKind, wish: Omit<Claim, 'previous'>): Promise<void> {
    return this.#parts.reservations().release(this, kind, wish);
  }

  async erase(aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>, id: string): Promise<void> {
    if (!this.dry) await this.#parts.erase(aggregate, id);
  }

  async schedule({ id, at, command, data }: Omit<NewTimer, 'organization' | 'correlation'>): Promise<void> {
    const { organization, correlation } = this.context;
    if (!this.dry) await this.#parts.schedule({ id, at, command, data, organization, correlation });
  }

  requestRun<I, S>(kind: RunKind<I, S>, run: NewRun<I>): Promise<RunView> {
    return this.#parts.runs().request(this, kind, run);
  }

  cancelRun(id: string): Promise<void> {
    return this.#parts.runs().cancel(this, id);
  }

  beforeElsewhere(): Promise<void> {
    return askPrecondition(this.#work, noStream);
  }

  async recordedElsewhere(positions: ReadonlyMap<string, bigint>): Promise<void> {
    if (positions.size === 0) return;
    for (const [type, position] of positions) noteRecorded(this.#work, { position, types: [type] });
    await this.#parts.waitForTypes(positions, this.context.deadline);
  }

  async shown(written: Written): Promise<void> {
    if (!this.dry) await this.#parts.shown(written, this.context.deadline);
  }

  waitUntilVisible(written: Written): Promise<boolean> {
    return this.#parts.waitUntilVisible(written);
  }

  isLive(projections: readonly Pick<AnyProjection, 'collection'>[]): boolean {
    return this.#parts.isLive(projections);
  }

  written(projection: Pick<AnyProjection, 'collection'>): Promise<bigint> {
    return this.#parts.written(projection);
  }

  waitForPosition(position: bigint, ms: number): Promise<PositionOutcome> {
    return this.#parts.waitForPosition(position, ms);
  }

  read<D extends object>(projection: Projection<D>): ReadModel<D> {
    this.#settings.note?.(projection);
    const model = this.#parts.model(projection);
    return this.present ? model : seenBy(this.#work, projection, model);
  }

  load<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string): Promise<State> {
    return this.#parts.load(aggregate, id);
  }

  recorded(): WrittenByType | undefined {
    const { position, positions } = this.#work;
    if (position === undefined || positions === undefined) return undefined;
    return { position, types: [...positions.keys()], positions };
  }

  #derived(more: Partial<CommandContext>): this {
    return this.#with({ ...this.#settings, context: { ...this.context, ...more } });
  }

  #with(settings: Settings): this {
    return new WorkScope(this.#parts, this.#work, settings) as this;
  }
}
