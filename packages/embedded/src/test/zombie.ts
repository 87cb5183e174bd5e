import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Zombie {
  readonly pid: number;
  /** As it was while the process ran. */
  readonly mark: string | undefined;
  /** Ends its parent, and with it the zombie. */
  remove(): void;
}

/** A process that was killed and that its parent never waits for. Only where there is `/proc`. */
export async function makeZombie(markOf: (pid: number) => string | undefined): Promise<Zombie> {
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  // The shell waits for its children until it has become the other program.
  while (!readFileSync(`/proc/${String(parent.pid)}/comm`, 'utf8').startsWith('sleep')) await pause(5);
  const mark = markOf(pid);
  process.kill(pid, 'SIGKILL');
  while (!/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, 'latin1'))) await pause(5);
  return { pid, mark, remove: () => void parent.kill('SIGKILL') };
}
