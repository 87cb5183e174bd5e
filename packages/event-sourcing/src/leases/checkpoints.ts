import { type Consumers, type HeldLease } from './consumers.js';
import { type Logger, describe } from '../shared/observe.js';

interface Marked {
  lease: HeldLease;
  at: bigint;
}

/** Writes checkpoints after the documents. It writes one at a time, at most every 20 ms. */
export interface Checkpoints {
  /** Marks what has been written up to `at`; the checkpoint is written later. */
  note(members: Iterable<Marked>): void;
  /** Writes the checkpoints immediately. */
  flush(members: Iterable<Marked>): Promise<void>;
}

const atMostEvery = 20;

interface CheckpointParts {
  consumers: Consumers;
  owner: string;
  logger: Logger;
}

export function createCheckpoints({ consumers, owner, logger }: CheckpointParts): Checkpoints {
  const due = new Map<string, Marked>();
  let running: Promise<void> | undefined;
  // If a checkpoint is lost, some events are processed twice.
  const writeDue = async (): Promise<void> => {
    const byPosition = new Map<bigint, HeldLease[]>();
    for (const { lease, at } of due.values()) byPosition.set(at, [...(byPosition.get(at) ?? []), lease]);
    due.clear();
    try {
      for (const [at, heldLeases] of byPosition) await consumers.checkpoint(heldLeases, owner, at);
    } catch (error) {
      logger.warn({ error: describe(error) }, 'a checkpoint could not be written');
    }
  };
  const add = (members: Iterable<Marked>): void => {
    for (const { lease, at } of members) if (at >= 0n) due.set(lease.name, { lease, at });
  };
  const loop = async (): Promise<void> => {
    while (due.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, atMostEvery));
      await writeDue();
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
      await writeDue();
    },
  };
}
