import { spawn, type ChildProcess } from 'node:child_process';
import { splitLines } from './lines.js';
import { exitCodes } from '../exit-codes.js';
import type { Output } from './output.js';
import type { Timings } from './timings.js';

/** A process to keep running. */
export interface ChildSpec {
  name: string;
  /** Script that node runs. */
  script: string;
  /** Its whole environment, asked before each start. */
  environment: () => NodeJS.ProcessEnv;
}

export interface Child {
  readonly name: string;
  /** Whether it has said that it is ready and still runs. */
  isReady(): boolean;
  /** Port of its readiness details, once it was ready. */
  adminPort: () => number | undefined;
  /** Its process id; undefined between a death and the next start. */
  pid(): number | undefined;
  /** Starts it; does nothing while it runs. */
  start(): void;
  /** Ends it by SIGTERM, by SIGKILL after `withinMs`; it is not started again. */
  stop(withinMs: number): Promise<void>;
  /** Sends it a message; false when it is not there to take it. */
  send(message: object): boolean;
}

/** Why a child is not started again: it said that trying again changes nothing, or did not start as often as it may try. */
export type GivenUp = 'setting' | 'defect' | 'attempts';

export interface ChildOptions {
  output: Output;
  timings: Timings;
  /** A wrong setting or a defect ended it, or it could not be started as often as the timings allow; `message` is one line with what it last said. */
  onGivenUp(message: string, why: GivenUp): void;
  /** It has said that it is ready, after each start. */
  onReady?(): void;
  /** What it sends besides `ready`. */
  onMessage?(message: unknown): void;
}

interface State {
  process: ChildProcess | undefined;
  readySince: number | undefined;
  adminPort: number | undefined;
  /** Starts since it was ready last. */
  attempts: number;
  /** Deaths since it ran steadily. */
  deaths: number;
  wanted: boolean;
  restart: NodeJS.Timeout | undefined;
  lastWords: string;
}

/** Keeps one process running: starts it again when it dies, with growing waits; gives up one that never gets ready. */
export function createChild(spec: ChildSpec, options: ChildOptions): Child {
  const state: State = {
    process: undefined,
    readySince: undefined,
    adminPort: undefined,
    attempts: 0,
    deaths: 0,
    wanted: false,
    restart: undefined,
    lastWords: '',
  };
  return {
    name: spec.name,
    isReady: () => state.readySince !== undefined,
    adminPort: () => state.adminPort,
    pid: () => state.process?.pid,
    start() {
      if (state.wanted) return;
      state.wanted = true;
      state.attempts = 0;
      state.deaths = 0;
      launch(spec, options, state);
    },
    async stop(withinMs) {
      state.wanted = false;
      clearTimeout(state.restart);
      const { process } = state;
      await end(process, withinMs);
      if (state.process !== process) return;
      state.process = undefined;
      state.readySince = undefined;
    },
    send: (message) => state.process?.connected === true && state.process.send(message),
  };
}

function launch(spec: ChildSpec, options: ChildOptions, state: State): void {
  const { output, timings } = options;
  // In a group of its own: Ctrl-C reaches the supervisor alone, which then ends its children in order.
  const child = spawn(process.execPath, [spec.script], {
    env: spec.environment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  state.process = child;
  state.attempts += 1;
  state.lastWords = '';
  follow(
    child,
    (line) => output.child(spec.name, line),
    (line) => {
      state.lastWords = line.slice(0, 500);
    },
  );
  const tooLate = setTimeout(() => {
    state.lastWords = `not ready after ${timings.readyWithin / 1000} s`;
    child.kill('SIGKILL');
  }, timings.readyWithin);
  child.on('message', (message) => {
    if (!isReadyMessage(message)) return options.onMessage?.(message);
    clearTimeout(tooLate);
    state.readySince = performance.now();
    state.adminPort = message.adminPort;
    state.attempts = 0;
    options.onReady?.();
  });
  const ended = (how: string, code?: number | null) => {
    clearTimeout(tooLate);
    // Its last output may come when the next process runs already.
    if (state.process === child) lost(spec, options, state, how, finalOf(code));
  };
  child.once('error', (error) => ended(error.message));
  child.once('close', (code, signal) => ended(signal ?? `exit code ${code}`, code));
}

function finalOf(code: number | null | undefined): Exclude<GivenUp, 'attempts'> | undefined {
  if (code === exitCodes.setting) return 'setting';
  return code === exitCodes.defect ? 'defect' : undefined;
}

/** A process is gone: nothing to do when that was wanted, a restart or the end otherwise. */
function lost(
  spec: ChildSpec,
  options: ChildOptions,
  state: State,
  how: string,
  final: Exclude<GivenUp, 'attempts'> | undefined,
): void {
  const { backoff, steady } = options.timings;
  const { readySince } = state;
  state.process = undefined;
  state.readySince = undefined;
  if (!state.wanted) return;
  if (final !== undefined) {
    state.wanted = false;
    return options.onGivenUp(state.lastWords.replace(`${spec.name}: `, ''), final);
  }
  const wasSteady = readySince !== undefined && performance.now() - readySince >= steady;
  state.deaths = wasSteady ? 1 : state.deaths + 1;
  if (state.attempts > backoff.length) {
    state.wanted = false;
    const why = state.lastWords === '' ? how : state.lastWords;
    options.onGivenUp(`${spec.name} could not be started (${state.attempts} attempts): ${why}`, 'attempts');
    return;
  }
  const wait = backoff[Math.min(state.deaths, backoff.length) - 1] ?? 0;
  options.output.warn(`${spec.name} ended (${how}); starting it again in ${wait} ms`);
  state.restart = setTimeout(() => launch(spec, options, state), wait);
}

function follow(child: ChildProcess, onLine: (line: string) => void, onError: (line: string) => void): void {
  const out = splitLines(onLine);
  const err = splitLines((line) => {
    onLine(line);
    if (line.trim() !== '') onError(line);
  });
  child.stdout?.setEncoding('utf8').on('data', out.push).on('end', out.end);
  child.stderr?.setEncoding('utf8').on('data', err.push).on('end', err.end);
}

async function end(child: ChildProcess | undefined, withinMs: number): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const kill = setTimeout(() => child.kill('SIGKILL'), Math.max(withinMs, 0));
  child.kill('SIGTERM');
  await gone;
  clearTimeout(kill);
}

function isReadyMessage(message: unknown): message is { ready: true; adminPort?: number } {
  return typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;
}
