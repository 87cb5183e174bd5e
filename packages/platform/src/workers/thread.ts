import { parentPort } from 'node:worker_threads';
import type { Order, ThreadFailure, ThreadMessage } from './messages.js';

/** Runs in a thread of the pool: loads modules of tasks and calls their functions, one at a time. */
const say = (message: ThreadMessage): void => parentPort?.postMessage(message);

parentPort?.on('message', (order: Order) => void carryOut(order));

async function carryOut({ id, module, run, input }: Order): Promise<void> {
  try {
    const loaded = (await import(module)) as Record<string, unknown>;
    const task = loaded[run];
    if (typeof task !== 'function') throw new Error(`${module} exports no function ${run}`);
    say({ id, kind: 'begun' });
    const output: unknown = await (task as (input: unknown) => unknown)(input);
    say({ id, kind: 'done', output });
  } catch (error) {
    say({ id, kind: 'failed', failure: failureOf(error) });
  }
}

/** Copies only plain data, since an error that cannot be sent would leave the caller without an answer. */
function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  if (!('reason' in error)) return { name, message };
  const { reason, details, retryAfter }: { reason: unknown; details?: unknown; retryAfter?: unknown } = error;
  return { name, message, ...(JSON.parse(JSON.stringify({ reason, details, retryAfter })) as object) };
}
