import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does some work with a folder in the system's temporary folder, which is removed after it, however it ends. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-'));
  const end = (signal: NodeJS.Signals): void => {
    rmSync(folder, { recursive: true, force: true });
    forget();
    process.kill(process.pid, signal);
  };
  const forget = (): void => signals.forEach((signal) => process.removeListener(signal, end));
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(folder);
  } finally {
    forget();
    await rm(folder, { recursive: true, force: true });
  }
}
