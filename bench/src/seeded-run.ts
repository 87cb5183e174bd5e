import { randomInt } from 'node:crypto';
import { Cleanup } from './processes/cleanup.js';

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
  const cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
  }
  let failed = true;
  try {
    say(`SEED=${seed}`);
    const result = await work({ seed, say, cleanup });
    failed = result.found.length > 0;
    process.stdout.write(`${JSON.stringify({ seed, ...result }, null, 2)}\n`);
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await cleanup.run();
  }
  say(failed ? `FAILED with SEED=${seed}` : `${well} (SEED=${seed})`);
  process.exit(failed ? 1 : 0);
}
