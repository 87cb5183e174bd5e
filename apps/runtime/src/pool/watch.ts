import { end, type Instance } from './instance.js';
import type { ReadMemory } from './memory.js';

export interface WatchLimits {
  /** How often processes are looked at. */
  everyMs: number;
  /** A process that has not answered for that long is ended. */
  blockedMs: number;
  /** Time in which a script has to be loaded. */
  startMs: number;
  /** How long a script may go on after its answer. */
  afterAnswerMs: number;
  idleMs: number;
  memoryMb: number;
  totalMb: number;
}

const megabyte = 1024 * 1024;

/** Ends processes that are blocked, too large, overdue or idle. Returns the resident bytes of those that are left. */
export async function look(
  instances: readonly Instance[],
  limits: WatchLimits,
  { readMemory, now }: { readMemory: ReadMemory; now: () => number },
): Promise<number> {
  for (const instance of instances) {
    lookAtAnswers(instance, limits);
    lookAtAge(instance, limits, now());
  }
  return lookAtMemory(instances, limits, readMemory);
}

/**
 * Ticks are counted, and not the time: where this process itself was late, the answers are there, but were not read.
 */
function lookAtAnswers(instance: Instance, { blockedMs, everyMs }: WatchLimits): void {
  const { engine, book, isListening } = instance;
  if (engine === undefined || !isListening) return;
  if (book.calls.size === 0) {
    engine.pinger.reset();
    return;
  }
  if (engine.pinger.missed() * everyMs >= blockedMs) end(instance, 'blocked');
  else engine.pinger.send();
}

function lookAtAge(instance: Instance, { startMs, afterAnswerMs, idleMs }: WatchLimits, now: number): void {
  if (!instance.isListening && now - instance.begun > startMs) end(instance, 'blocked');
  for (const call of instance.book.calls) {
    if (call.answeredAt === undefined || now - call.answeredAt <= afterAnswerMs) continue;
    instance.book.giveUp(call);
    // The script still runs. The process is ended when its other calls have their answers.
    instance.isRetired = true;
  }
  if (instance.book.calls.size > 0) return;
  if (instance.isRetired) end(instance, 'overdue');
  else if (now - instance.book.lastUsed > idleMs) end(instance, 'idle');
}

async function lookAtMemory(
  instances: readonly Instance[],
  { memoryMb, totalMb }: WatchLimits,
  readMemory: ReadMemory,
): Promise<number> {
  const pids = instances.flatMap(({ engine }) => (engine?.pid === undefined ? [] : [engine.pid]));
  const bytes = await readMemory(pids);
  const sizeOf = ({ engine }: Instance): number => bytes.get(engine?.pid ?? 0) ?? 0;
  const kept = instances.filter((instance) => {
    const isTooLarge = sizeOf(instance) > memoryMb * megabyte;
    if (isTooLarge) end(instance, 'memory');
    return !isTooLarge;
  });
  let total = kept.reduce((sum, instance) => sum + sizeOf(instance), 0);
  const idle = kept.filter(({ book }) => book.calls.size === 0).sort((a, b) => a.book.lastUsed - b.book.lastUsed);
  const busy = kept.filter(({ book }) => book.calls.size > 0).sort((a, b) => sizeOf(b) - sizeOf(a));
  for (const instance of [...idle, ...busy]) {
    if (total <= totalMb * megabyte) break;
    end(instance, instance.book.calls.size === 0 ? 'idle' : 'total');
    total -= sizeOf(instance);
  }
  return total;
}
