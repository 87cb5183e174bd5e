import type { Cleanup } from '../processes/cleanup.js';
import type { Caller } from './caller.js';
import type { Findings } from './findings.js';
import type { Memory } from './memory.js';
import { createRandom } from './random.js';
import { runReader } from './reader.js';
import { runWriter } from './writer.js';

export interface CrewOptions {
  /** A writer for each. */
  memories: readonly Memory[];
  readers: number;
  caller: Caller;
  findings: Findings;
  seed: number;
  /** Whether nothing is killed, so that every read shows what was acknowledged before it. */
  steady: boolean;
}

/** Starts writers, and readers of what these have been promised. @returns what lets all of them end what they do */
export function startCrew(
  { memories, readers, caller, findings, seed, steady }: CrewOptions,
  cleanup: Cleanup,
): () => Promise<void> {
  let over = false;
  const stopped = (): boolean => over;
  cleanup.add(() => {
    over = true;
  });
  const parts = (index: number) => ({
    caller,
    findings,
    stopped,
    random: createRandom(seed + index),
    memory: memories[index % memories.length] as Memory,
  });
  const working = [
    ...memories.map((_memory, index) => runWriter({ ...parts(index), steady: () => steady })),
    ...Array.from({ length: readers }, (_, index) => runReader(parts(memories.length + index))),
  ];
  return async () => {
    over = true;
    await Promise.all(working);
  };
}
