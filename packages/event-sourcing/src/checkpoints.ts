import { type Consumers, type Grip } from './consumers.js';
import { type Logger, describe } from './observe.js';

interface Marked {
  grip: Grip;
  at: bigint;
}

/** Writes checkpoints behind the documents: at most one write at a time, and no more than one in 20 ms. */
export interface Checkpoints {
  /** What has been written up to `at`; the write follows. */
  note(members: Iterable<Marked>): void;
  /** Writes now. */
  flush(members: Iterable<Marked>): Promise<void>;
}

const atMostEvery = 20;

export function createCheckpoints({ consumers, owner, logger }: { consumers: Consumers; owner: string; logger: Logger }): Checkpoints {
  const due = new Map<string, Marked>();
  let running: Promise<void> | undefined;
  const writeDue = async (): Promise<void> => {
    const byPosition = new Map<bigint, Grip[]>();
    for (const { grip, at } of due.values()) byPosition.set(at, [...(byPosition.get(at) ?? []), grip]);
    due.clear();
    for (const [at, grips] of byPosition) await consumers.checkpoint(grips, owner, at);
  };
  const add = (members: Iterable<Marked>): void => {
    for (const { grip, at } of members) if (at >= 0n) due.set(grip.name, { grip, at });
  };
  const loop = async (): Promise<void> => {
    while (due.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, atMostEvery));
      // A lost checkpoint only means that some events are looked at twice.
      await writeDue().catch((error: unknown) => logger.warn({ error: describe(error) }, 'a checkpoint could not be written'));
    }
    running = undefined;
  };
  return {
    note(members) {
      add(members);
      if (due.size > 0) running ??= loop();
    },
    async flush(members) {
      add(members);
      await running;
      await writeDue().catch((error: unknown) => logger.warn({ error: describe(error) }, 'a checkpoint could not be written'));
    },
  };
}
