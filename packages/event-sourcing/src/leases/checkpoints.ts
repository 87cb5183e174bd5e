import { type Checkpoint, type Consumers } from './consumers.js';
import { type Logger, describe } from '../process/observe.js';

/**
 * Writes the checkpoints of all consumers of a process, after what they have done. All that are due are one command, at
 * most every 200 ms: each costs the database a write of every one of them.
 */
export interface Checkpoints {
  /** Marks what has been written up to `at`; the checkpoint is written later. */
  note(members: Iterable<Checkpoint>): void;
  /** Writes the checkpoints immediately. */
  flush(members: Iterable<Checkpoint>): Promise<void>;
}

const atMostEvery = 200;

interface CheckpointParts {
  consumers: Consumers;
  owner: string;
  logger: Logger;
}

export function createCheckpoints({ consumers, owner, logger }: CheckpointParts): Checkpoints {
  const due = new Map<string, Checkpoint>();
  let running: Promise<void> | undefined;
  // If a checkpoint is lost, some events are processed twice.
  const writeDue = async (): Promise<void> => {
    const marked = [...due.values()];
    due.clear();
    try {
      await consumers.checkpoint(marked, owner);
    } catch (error) {
      logger.warn({ error: describe(error) }, 'a checkpoint could not be written');
    }
  };
  const add = (members: Iterable<Checkpoint>): void => {
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
