import { setTimeout as delay } from 'node:timers/promises';
import { lateMs, type CallRequest, type Caller, type Outcome } from './caller.js';
import type { Field } from './field.js';
import type { Findings } from './findings.js';
import type { Memory } from './memory.js';
import type { Random } from './random.js';

export interface WriterParts {
  memory: Memory;
  caller: Caller;
  random: Random;
  findings: Findings;
  stopped: () => boolean;
  /** Whether nothing has been killed so far: then every read shows what was acknowledged before it. */
  steady: () => boolean;
  /** Whether change requests are written, too. */
  changeRequests?: boolean;
}

/** Something that a writer changes: a team, a space or a change request. */
interface Changed {
  tag: string;
  title: Field<string>;
  restsUntil: number;
}

const pauseMs = 100;

/** Sends the writes of one writer, and compares what it reads with what it was promised. */
export interface Sender {
  /** Repeats with an idempotency key until the outcome is known. */
  settle(request: CallRequest): Promise<Outcome>;
  /**
   * Half of these writes go once, without a key; when their outcome is unknown, the object rests until it cannot change
   * any more.
   */
  set<T>(changed: Changed, field: Field<T>, value: T, request: CallRequest): Promise<void>;
  /** Reads the title of something back. Another replica than the one that took the write may answer. */
  readBack(changed: Changed, path: string, name?: 'title' | 'subject'): Promise<void>;
  /** Waits a little, when there is nothing to write. */
  pause(): Promise<void>;
  /** A word that no other title of this writer begins with. */
  newTag(): string;
}

export function createSender({ memory, caller, random, findings, steady }: WriterParts): Sender {
  let [keys, tags] = [0, 0];
  const counted = async (running: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await running;
    findings.count(`writes ${outcome.kind}`);
    if (outcome.kind !== 'done') await delay(pauseMs);
    return outcome;
  };
  const settle = (request: CallRequest): Promise<Outcome> => {
    keys += 1;
    return counted(caller.settle({ ...request, key: `${memory.name}-${keys}` }));
  };
  return {
    settle,
    async set(changed, field, value, request) {
      const outcome = random.chance(0.5) ? await settle(request) : await counted(caller.call(request));
      if (outcome.kind === 'done') return field.settle(value);
      if (outcome.kind !== 'unknown') return;
      field.doubt(value);
      changed.restsUntil = performance.now() + lateMs;
    },
    async readBack({ tag, title: field }, path, name = 'title') {
      const { certain } = field;
      if (certain === undefined) return;
      const outcome = await caller.call({ method: 'GET', path });
      if (outcome.kind !== 'done' && outcome.kind !== 'refused') return;
      const title =
        outcome.kind === 'done' ? (outcome.body as Record<typeof name, string>)[name] : `(${outcome.status})`;
      const phase = steady() ? 'steady' : 'under kills';
      findings.count(`reads of an own write, ${phase}: ${title === certain.value ? 'fresh' : 'stale'}`);
      if (title !== certain.value && steady())
        findings.report(
          `${path}: ${tag} was read as ${title} after ${certain.value} was acknowledged, with nothing killed`,
        );
    },
    pause: () => delay(pauseMs),
    newTag: () => `${memory.name}.${(tags += 1)}`,
  };
}
