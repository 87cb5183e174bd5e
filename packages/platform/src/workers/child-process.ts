import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ChildResult, ChildTask } from './child-task.js';

/** A running process. */
export interface RunningChild {
  readonly pid: number | undefined;
  readonly result: Promise<ChildResult>;
  stop(): void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Characters of what a process writes about a failure. */
const mostSaid = 4_096;
const mib = 1024 * 1024;
/** Signals that a process without memory ends with. */
const memorySignals: readonly (string | null)[] = ['SIGKILL', 'SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGTRAP', 'SIGILL'];

/** Starts a task as a process, which is killed when it has not ended within `withinMs`. */
export function startChild(task: ChildTask, input: readonly Uint8Array[], withinMs: number): RunningChild {
  const [file, args] = commandOf(task, withinMs);
  const child: Child = spawn(file, args, { env: task.env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  let cut: 'deadline' | 'too_large' | 'stopped' | undefined;
  const end = (why: NonNullable<typeof cut>): void => {
    cut ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => end('deadline'), withinMs);
  const output = collected(child.stdout, task.outputAtMost, () => end('too_large'));
  const said = lastOf(child.stderr);
  feed(child, input);
  const result = new Promise<ChildResult>((resolve) => {
    const over = (found: ChildResult): void => {
      clearTimeout(timer);
      resolve(cut === undefined ? found : { outcome: cut });
    };
    child.once('error', ({ message }) => over({ outcome: 'failed', says: message }));
    child.once('close', (code, signal) => over(resultOf(code, signal, { output, said })));
  });
  return { pid: child.pid, result, stop: () => end('stopped') };
}

function resultOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  { output, said }: { output: () => Buffer; said: () => string },
): ChildResult {
  if (code === 0) return { outcome: 'done', output: output() };
  const says = said();
  const isMemory =
    memorySignals.includes(signal) || /out of memory|memory allocation|allocation failed|ENOMEM/i.test(says);
  return isMemory ? { outcome: 'memory' } : { outcome: 'failed', says: says || `it ended with ${code ?? signal}` };
}

/** Writes the input. A process that ends before it has read all of it is no failure of its own. */
function feed({ stdin }: Child, input: readonly Uint8Array[]): void {
  stdin.on('error', () => undefined);
  for (const part of input) stdin.write(part);
  stdin.end();
}

function collected(stream: Readable, most: number, tooLarge: () => void): () => Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  stream.on('data', (part: Buffer) => {
    length += part.length;
    if (length > most) return tooLarge();
    parts.push(part);
  });
  return () => Buffer.concat(parts);
}

function lastOf(stream: Readable): () => string {
  let said = '';
  stream.on('data', (part: Buffer) => {
    said = `${said}${part.toString()}`.slice(-mostSaid);
  });
  return () => said.trim();
}

/** What a process of Node reserves and never fills: address space without memory behind it, MiB. */
const reservedMb = 1_536;
/** Processor time beyond the time on the clock, so that a process whose parent was killed ends as well, s. */
const graceSeconds = 5;

function commandOf({ module, heapMb, memoryMb }: ChildTask, withinMs: number): [file: string, args: string[]] {
  const node = [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=8', fileURLToPath(module)];
  const limiter = findLimiter();
  if (limiter === undefined) return [process.execPath, node];
  const seconds = (Math.ceil(withinMs / 1_000) + graceSeconds) * availableParallelism();
  const limits = [`--as=${(memoryMb + reservedMb) * mib}`, `--cpu=${seconds}`, '--core=0', '--fsize=0'];
  return [limiter, [...limits, '--', process.execPath, ...node]];
}

let limiter: string | null | undefined;

/** The program that limits what a process may take; most systems with Linux have it. */
function findLimiter(): string | undefined {
  if (limiter === undefined) limiter = ['/usr/bin/prlimit', '/bin/prlimit'].find(isProgram) ?? null;
  return limiter ?? undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
