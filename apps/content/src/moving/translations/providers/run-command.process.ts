import { spawn } from 'node:child_process';
import { type Readable } from 'node:stream';
import { AppError } from '@scriptorium/contracts';
import { ProviderFailure } from './provider.js';

/** How long a command may take, in ms, and how many bytes it may write. */
export interface CommandBounds {
  readonly withinMs?: number;
  readonly mostBytes?: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: string;
}

/**
 * What a command writes for an input. No shell reads its name and arguments, and it ends when the signal does.
 * @throws ProviderFailure when it is missing, fails, takes too long or writes too much; AppError `unavailable` when the
 *   signal ends it
 */
export function runCommand(
  { command, args, input }: Command,
  { withinMs = 120_000, mostBytes = 2 * 1024 * 1024 }: CommandBounds,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', fed, command, ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment(),
      // A group of processes of its own, so that all of them can be ended.
      detached: true,
    });
    const failWith = (error: Error): void => {
      endGroup(child.pid);
      reject(error);
    };
    const fail = (message: string): void => failWith(new ProviderFailure(message, { isOfText: true }));
    const written = gatherUpTo(child.stdout, mostBytes, () => fail(`The command writes more than ${mostBytes} bytes`));
    const late = setTimeout(() => fail(`The command took longer than ${withinMs} ms`), withinMs);
    const stop = (): void => failWith(new AppError('unavailable', [], { message: 'The command was stopped' }));
    signal.addEventListener('abort', stop, { once: true });
    const settle = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    };
    child.on('error', () => {
      settle();
      reject(new ProviderFailure('No shell can be started for the command'));
    });
    child.on('close', (code) => {
      settle();
      if (code === 0) resolve(written());
      else reject(endedWith(command, code));
    });
    // A command that ends early does not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    if (signal.aborted) stop();
  });
}

/** Commands that open `/dev/stdin` cannot open the socket that Node gives them: `cat` makes a pipe of it. */
const fed = 'cat | "$0" "$@"';
/** What a shell ends with when there is no such command. */
const notFound = 127;

function endedWith(command: string, code: number | null): ProviderFailure {
  const isThere = code !== notFound;
  return new ProviderFailure(`The command ${command} ${isThere ? 'failed' : 'cannot be started'}`, {
    isOfText: isThere,
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** No key of the product is in it. */
const environment = (): Record<string, string | undefined> => ({ PATH: process.env['PATH'], LANG: 'C.UTF-8' });

/** Gathers what a stream gives, and calls `tooMuch` once that is more than `mostBytes`. */
function gatherUpTo(stream: Readable, mostBytes: number, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) tooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
