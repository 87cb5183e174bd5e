import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll } from '@jest/globals';
import { timings } from '../supervisor/timings.js';
import { waitFor } from './wait-for.js';

/** The command in a process of its own. */
export interface Running {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Waits for the banner. */
  ready(): Promise<void>;
  /** The address of the gateway in the banner. */
  address(): string;
  /** The process id of the last start of a child, from its log. */
  pidOf(name: string): number;
  signal(signal: NodeJS.Signals): void;
  /** Waits for the end. Returns the exit code, or null if the command was killed. */
  ended(): Promise<number | null>;
  kill(): Promise<void>;
}

const main = pathToFileURL(fileURLToPath(new URL('../../dist/main.js', import.meta.url))).href;
const script = `const { main } = await import(${JSON.stringify(main)}); await main(['node', 'scriptorium', ...process.argv.slice(1)]);`;
const built: readonly string[] = ['--input-type=module', '-e', script, '--'];

/**
 * Runs the built command without rate limits. Its environment contains only the given variables and the search path.
 * `program`: another program for Node, such as the command as it is installed.
 */
export function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  cwd?: string,
  program: readonly string[] = built,
): Running {
  const child = spawn(process.execPath, [...program, ...args], {
    env: { PATH: process.env['PATH'], RATE_LIMIT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Its children have the same pipes: `exit` is the end of the command, `close` the end of all of them.
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    async ready() {
      await waitFor(
        'the banner',
        () => {
          if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${stderr}`);
          return stdout.includes('Ctrl-C stops it.');
        },
        timings.readyWithin,
      ).catch((error: Error) => {
        throw new Error(`${error.message}. Its last words: ${stderr.slice(-2_000)}`);
      });
    },
    address: () => /(http:\/\/\S+)\/v1\n/.exec(stdout)?.[1] ?? '',
    pidOf(name) {
      const last = stderr
        .split('\n')
        .findLast((line) => line.includes(`"name":"${name}"`) && line.includes('"msg":"ready"'));
      return last === undefined ? 0 : (JSON.parse(last) as { pid: number }).pid;
    },
    signal: (signal) => void child.kill(signal),
    async ended() {
      const [code] = await exited;
      return code;
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** How a command has ended, and what it has written. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Waits until a command has ended. */
export async function ended(running: Running): Promise<Ended> {
  const code = await running.ended();
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

/**
 * Runs commands as `runCommand` does, and kills after a spec file what is left of them. `started`: all of them, in
 * their order.
 */
export function trackedCommands(): { run: typeof runCommand; started: readonly Running[] } {
  const started: Running[] = [];
  afterAll(async () => {
    for (const running of started) await running.kill();
  });
  return {
    started,
    run(...command) {
      const running = runCommand(...command);
      started.push(running);
      return running;
    },
  };
}
