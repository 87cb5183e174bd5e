import { Cleanup } from './cleanup.js';

/**
 * Runs the work of a command, and cleans up after it, also on a signal. What it throws is written to stderr.
 * @returns what the work says of itself: whether all is well; `false` when it threw
 */
export async function runWithCleanup(work: (cleanup: Cleanup) => Promise<boolean>): Promise<boolean> {
  const cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
  }
  try {
    return await work(cleanup);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return false;
  } finally {
    await cleanup.run();
  }
}
