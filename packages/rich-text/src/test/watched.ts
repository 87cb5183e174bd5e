import { expect } from '@jest/globals';
import { runs } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RichTextError } from '../model/errors.js';

/** Processor time no single input may take; far above what any takes, because the collector's threads count too. */
const SLOWEST_MS = 1_000;
/** What may still be held after all inputs of a test. */
const HEAP_BYTES = 96 * 1024 * 1024;
/** A line of progress after so many inputs. */
const REPORT_EVERY = 10_000;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heldBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

/** The result, or null when the input was refused the proper way. */
export function accepted<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof RichTextError) return null;
    throw error;
  }
}

/** Runs a property on generated inputs, and watches the processor time of each of them and the heap over all. */
export function watched<T>(name: string, usual: number, inputs: fc.Arbitrary<T>, check: (input: T) => void): void {
  let done = 0;
  const held = heldBytes();
  fc.assert(
    fc.property(inputs, (input) => {
      const start = process.cpuUsage();
      check(input);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(SLOWEST_MS);
      if (++done % REPORT_EVERY === 0) process.stderr.write(`${name}: ${done} inputs\n`);
    }),
    { numRuns: runs(usual) },
  );
  expect(heldBytes() - held).toBeLessThan(HEAP_BYTES);
}
