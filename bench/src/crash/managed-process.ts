import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitFor } from '../processes/wait-for.js';
import type { Findings } from './findings.js';

export interface ManagedSpec {
  name: string;
  script: string;
  environment: Record<string, string>;
}

/** A process that runs until it is killed on purpose, and is started again after each end. */
export interface Managed {
  readonly name: string;
  pid(): number | undefined;
  isReady(): boolean;
  untilReady(withinMs: number): Promise<void>;
  start(): void;
  /**
   * SIGKILL; started again after `awayMs`, or by `start` when that is undefined. Does nothing to one that is not there.
   */
  kill(awayMs: number | undefined): Promise<void>;
  /** SIGTERM, SIGKILL after 8 s; not started again. */
  stop(): Promise<void>;
}

const againMs = 250;
const stopMs = 8_000;
const levelError = 50;

/** Errors that processes log and unexpected ends are counted or reported to `findings`. */
export function manage({ name, script, environment }: ManagedSpec, findings: Findings): Managed {
  let child: ChildProcess | undefined;
  let ready = false;
  let wanted = false;
  let killed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(launch, ms);
  };
  const launch = (): void => {
    if (!wanted || child !== undefined) return;
    let lastWords = '';
    const started = spawn(process.execPath, [script], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    ready = false;
    killed = false;
    for (const stream of [started.stdout, started.stderr]) {
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => {
          lastWords = line.slice(0, 400);
          noteError(name, line, findings);
        });
    }
    started.on('message', (message) => {
      ready ||= (message as { ready?: boolean }).ready === true;
    });
    started.once('close', (code, signal) => {
      child = undefined;
      if (killed || !wanted) return;
      // One that starts while a server is away may give up; one that was ready must stay.
      if (ready) findings.report(`${name} ended by itself (${signal ?? `exit code ${code}`}): ${lastWords}`);
      else findings.count(`${name} could not start`);
      ready = false;
      again(againMs);
    });
  };
  return {
    name,
    pid: () => child?.pid,
    isReady: () => ready,
    untilReady: async (withinMs) => void (await waitFor(`${name} to be ready`, () => ready, withinMs)),
    start() {
      wanted = true;
      launch();
    },
    async kill(awayMs) {
      if (child === undefined) return;
      killed = true;
      ready = false;
      await end(child, 0);
      if (awayMs !== undefined) again(awayMs);
    },
    async stop() {
      wanted = false;
      ready = false;
      clearTimeout(timer);
      if (child !== undefined) await end(child, stopMs);
    },
  };
}

/** Ends a process by SIGTERM and, when that is not enough within `patienceMs`, by SIGKILL. */
async function end(child: ChildProcess, patienceMs: number): Promise<void> {
  const gone = once(child, 'close');
  if (patienceMs > 0) child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(kill);
}

function noteError(name: string, line: string, findings: Findings): void {
  if (!line.startsWith('{')) {
    if (line.trim() !== '') findings.count(`${name} said: ${line.slice(0, 160)}`);
    return;
  }
  const { level, msg, err, error } = JSON.parse(line) as {
    level?: number;
    msg?: string;
    err?: { message?: string };
    error?: unknown;
  };
  if ((level ?? 0) >= levelError)
    findings.count(`${name} logged an error: ${msg ?? ''} ${err?.message ?? JSON.stringify(error ?? '')}`);
}
