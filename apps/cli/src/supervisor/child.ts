import { spawn, type ChildProcess } from 'node:child_process';
import { createLastWords } from './last-words.js';
import { splitLines } from './lines.js';
import { exitCodes } from '../exit-codes.js';
import type { Output } from './output.js';
import type { Timings } from './timings.js';

/** A process that is kept running. */
export interface ChildSpec {
  name: string;
  /** The script that Node runs. */
  script: string;
  /** Flags of Node. */
  flags?: readonly string[];
  /** Its whole environment, computed before each start. */
  environment: () => NodeJS.ProcessEnv;
}

export interface Child {
  readonly name: string;
  /** Whether it runs and has reported that it is ready. */
  isReady(): boolean;
  /** The admin port, once it was ready. */
  adminPort: () => number | undefined;
  /** The process id; undefined between an end and the next start. */
  pid(): number | undefined;
  /** Starts the process; does nothing while it runs. */
  start(): void;
  /** Ends the process by SIGTERM, and by SIGKILL after `withinMs`. It is not started again. */
  stop(withinMs: number): Promise<void>;
  /** Sends a message; false if the process cannot receive it. */
  send(message: object): boolean;
}

/** Why a child is not started again: it reported that another start fails too, or it used up its attempts to start. */
export type GivenUp = 'setting' | 'defect' | 'attempts';

export interface ChildOptions {
  output: Output;
  timings: Timings;
  /**
   * Called when the child ended because of a setting or a defect, or used up its attempts. `message` is one line with
   * its last output.
   */
  onGivenUp(message: string, why: GivenUp): void;
  /** Called each time the child is ready. */
  onReady?(): void;
  /** Called for messages other than `ready`. */
  onMessage?(message: unknown): void;
}

interface State {
  process: ChildProcess | undefined;
  readySince: number | undefined;
  adminPort: number | undefined;
  /** Starts since it was last ready. */
  attempts: number;
  /** Unexpected ends since it last ran steadily. */
  deaths: number;
  wanted: boolean;
  restart: NodeJS.Timeout | undefined;
  lastWords: string;
}

/**
 * Keeps one process running. It is started again when it ends, after growing pauses, and given up if it does not become
 * ready.
 */
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
  // In its own process group, so that only the supervisor gets Ctrl-C and ends its children in order.
  const child = spawn(process.execPath, [...(spec.flags ?? []), spec.script], {
    env: spec.environment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  state.process = child;
  state.attempts += 1;
  state.lastWords = '';
  const lastWords = createLastWords();
  follow(
    child,
    (line) => output.child(spec.name, line),
    (line) => {
      state.lastWords = lastWords(line).slice(0, 500);
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
    // Its last output can arrive when the next process already runs.
    if (state.process === child) handleEnd(spec, options, state, how, finalOf(code));
  };
  child.once('error', (error) => ended(error.message));
  child.once('close', (code, signal) => ended(signal ?? `exit code ${code}`, code));
}

function finalOf(code: number | null | undefined): Exclude<GivenUp, 'attempts'> | undefined {
  if (code === exitCodes.setting) return 'setting';
  return code === exitCodes.defect ? 'defect' : undefined;
}

/** Handles the end of a process: nothing to do if that was requested; otherwise a restart, or the child is given up. */
function handleEnd(
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
