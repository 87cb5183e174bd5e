import { randomInt } from 'node:crypto';
import type { Cleanup } from './processes/cleanup.js';
import { runWithCleanup } from './processes/run-with-cleanup.js';

export interface Run {
  /** Determines what is drawn; printed, and repeated by `SEED` in the environment. */
  seed: number;
  say: (text: string) => void;
  cleanup: Cleanup;
}

export interface RunResult {
  /** What must not be. */
  found: readonly string[];
}

/**
 * Runs what a seed determines as a command: progress to stderr, the result to stdout, exit code 1 when anything was
 * found; cleans up, also on a signal.
 */
export async function seededRun(well: string, work: (run: Run) => Promise<RunResult>): Promise<never> {
  const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31));
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const isWell = await runWithCleanup(async (cleanup) => {
    say(`SEED=${seed}`);
    const result = await work({ seed, say, cleanup });
    process.stdout.write(`${JSON.stringify({ seed, ...result }, null, 2)}\n`);
    return result.found.length === 0;
  });
  say(isWell ? `${well} (SEED=${seed})` : `FAILED with SEED=${seed}`);
  process.exit(isWell ? 0 : 1);
}
