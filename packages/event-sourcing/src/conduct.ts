import { AsyncLocalStorage } from 'node:async_hooks';
import { type RawEvent } from './events.js';

/** The stream that is about to change, as a reader would wait for it. */
export interface StreamStand {
  /** What is asked for was done to it before, by this request or an earlier one with the same `idem`. */
  repeated?: boolean;
  /** Commit position of its last event, `-1n` when it has none. */
  position: bigint;
  types: readonly string[];
}

/** What holds for every command that one request gives. */
export interface Conduct {
  /** Nothing is recorded: commands are decided, and only this request sees what they would have recorded. */
  readonly dry?: boolean;
  /**
   * Asked before the first events of the request are appended, and of each command until then that has nothing to record;
   * refuses by rejecting. The append expects the stream as it stood then, so whoever changes it in between makes this be asked
   * again.
   */
  readonly precondition?: (stream: StreamStand) => Promise<void>;
  /** The stream that is looked back on: documents that are its state are read as they were then. */
  readonly past?: Past;
}

/** A stream up to an earlier moment. */
export interface Past {
  /** Whose stream it is, in full: `identity.team`. */
  readonly entity: string;
  /** Some at a time. */
  events(): AsyncIterable<readonly RawEvent[]>;
}

/** What came of a request's commands. */
export interface Conducted<T> {
  result: T;
  /** Commit position of the last event that they recorded, or had recorded before; `undefined` when there is none. */
  position: bigint | undefined;
}

interface Course extends Conduct {
  position: bigint | undefined;
  /** The precondition held when events were appended, or imagined: what the request itself changed is no breach of it. */
  met: boolean;
  imagined: RawEvent[];
}

const courses = new AsyncLocalStorage<Course>();

/** Runs `work`, and every command it gives, under `conduct`. */
export async function conducted<T>(conduct: Conduct, work: () => Promise<T>): Promise<Conducted<T>> {
  const course: Course = { ...conduct, position: undefined, met: false, imagined: [] };
  const result = await courses.run(course, work);
  return { result, position: course.position };
}

/** Whether what happens now must leave nothing behind. */
export function isDry(): boolean {
  return courses.getStore()?.dry === true;
}

/** Whether what is read now is what everybody reads: neither tried out nor looked back on. */
export function isPresent(): boolean {
  const course = courses.getStore();
  return course?.dry !== true && course?.past === undefined;
}

/** What this request looks back on. */
export function pastOfRequest(): Past | undefined {
  return courses.getStore()?.past;
}

/** Before a command is carried out; rejects when the request's precondition does not hold. */
export async function askPrecondition(stream: StreamStand): Promise<void> {
  const course = courses.getStore();
  if (course?.precondition === undefined || course.met) return;
  await course.precondition(stream);
}

/** After an append, or when it turned out to have happened before. */
export function noteRecorded(position: bigint): void {
  const course = courses.getStore();
  if (course === undefined) return;
  course.met = true;
  if (course.position === undefined || position > course.position) course.position = position;
}

/** Events of this request that were not recorded, in their order. */
export function imaginedEvents(): readonly RawEvent[] {
  return courses.getStore()?.imagined ?? [];
}

/** Beyond every position of a log. */
const beyond = 2n ** 62n;

/** Where the next imagined event stands. */
export function nextImagined(): bigint {
  return beyond + BigInt(imaginedEvents().length);
}

/** Keeps events for this request alone. */
export function imagine(events: readonly RawEvent[]): void {
  const course = courses.getStore();
  if (course === undefined) return;
  course.met = true;
  course.imagined.push(...events);
}
