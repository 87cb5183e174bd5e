import { type Past } from '../aggregates/past.js';
import { type RawEvent } from '../events/events.js';
import { type Written } from '../projections/wait.js';

/** The stream that is about to change, as a reader would wait for it. */
export interface StreamState {
  /** What is asked for was done to it before, by this request or an earlier one with the same `idem`. */
  repeated?: boolean;
  /** Commit position of its last event, `-1n` when it has none. */
  position: bigint;
  types: readonly string[];
}

/** What holds for everything that one request does and reads. */
export interface Conditions {
  /** Nothing is recorded: commands are decided, and only this request sees what they would have recorded. */
  readonly dry?: boolean | undefined;
  /**
   * Asked before the first events of the request are appended, and for each command until then that has nothing to
   * record. It refuses by rejecting. The append expects the stream as it was then: when somebody changes it in between,
   * this is asked again.
   */
  readonly precondition?: ((stream: StreamState) => Promise<void>) | undefined;
  /** Whether the precondition is about the request alone, so that no state of the stream matters to it. */
  readonly ignoresStream?: boolean | undefined;
  /** The stream that is looked back on: documents that are its state are read as they were then. */
  readonly past?: Past | undefined;
}

/** Everything that a piece of work recorded. */
export interface WrittenByType extends Written {
  /** The position of the last event of each type. */
  readonly positions: ReadonlyMap<string, bigint>;
}

/**
 * One request, reaction or timer at work: its conditions, and what it has done so far. Made by
 * `StoreScope`, shared by all commands and reads of that request, and by nothing else.
 */
export interface Work extends Conditions {
  /** Commit position of the last event that it recorded, or had recorded before. */
  position: bigint | undefined;
  /** Types of all events that it recorded, or had recorded before, each with the commit position of its last event. */
  positions: Map<string, bigint> | undefined;
  /** The precondition held when its first events were appended: what the request itself changes does not break it. */
  met: boolean;
  /** In a dry run: the events that would have been recorded, in their order. */
  readonly dryEvents: RawEvent[];
}

/** Before a command is carried out. Rejects when the precondition of the request does not hold. */
export async function askPrecondition(work: Work, stream: StreamState): Promise<void> {
  if (work.precondition === undefined || work.met) return;
  await work.precondition(stream);
}

/** After an append, or when it turned out to have happened before. */
export function noteRecorded(work: Work, { position, types }: Written): void {
  work.met = true;
  if (work.position === undefined || position > work.position) work.position = position;
  const positions = (work.positions ??= new Map<string, bigint>());
  for (const type of types) {
    const before = positions.get(type);
    if (before === undefined || position > before) positions.set(type, position);
  }
}

/** Behind every position of a log. */
const behindTheLog = 2n ** 62n;

/** The position of the next event of a dry run. */
export function nextDryPosition({ dryEvents }: Work): bigint {
  return behindTheLog + BigInt(dryEvents.length);
}

/** Keeps the events of a dry run for this request alone. */
export function keepDryEvents(work: Work, events: readonly RawEvent[]): void {
  work.met = true;
  work.dryEvents.push(...events);
}
