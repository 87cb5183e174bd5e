import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// From the sources and from the build alike, the program to start is the built one.
const BIN = fileURLToPath(new URL('../../../dist/eventstore/bin.js', import.meta.url));
const START_MS = 30_000;

export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Runs the server's program on `dataDir`. @throws with what it printed when it does not come up */
export async function startChild(dataDir: string, port = 0, args: readonly string[] = []): Promise<ChildServer> {
  if (!existsSync(BIN)) throw new Error(`${BIN} is missing: build first`);
  const child = spawn(process.execPath, [BIN, '--data', dataDir, '--port', String(port), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => {
      resolve();
    }),
  );
  const url = await firstLine(child);
  return {
    url,
    pid: child.pid ?? 0,
    kill: (signal) => {
      child.kill(signal);
      return gone;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let errors = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the server did not come up: ${errors}`));
    }, START_MS);
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(errors.trim()));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (!out.includes('\n')) return;
      clearTimeout(timer);
      resolve(out.trim());
    });
  });
}
