import { type IncomingMessage, request } from 'node:http';
import type { ActiveCall } from '../pool/active-call.js';
import type { Ending, Instance } from '../pool/instance.js';
import { callHeader } from '../pool/workers.js';
import { passedOn } from '../http/hop-headers.js';
import { Refusal } from '../refusal.js';
import type { Envelope } from './run-request.js';

/** An answer of a script, of which nothing was passed on yet. */
export interface ScriptAnswer {
  status: number;
  headers: [string, string][];
  /** The beginning of the body; all of it where there is no `rest`. */
  held: Buffer;
  rest: AsyncIterator<Buffer> | undefined;
}

/** The process of a call has ended before the answer was there. */
export class ProcessEnded extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`The process of the script has ended: ${ending.cause}`);
    this.name = 'ProcessEnded';
    this.ending = ending;
  }
}

/** Answers up to this size are held until they are complete, so that a failure within them is an error. */
const heldBytes = 256 * 1024;
const largestHeaders = 16 * 1024;

/**
 * Sends a call to its process.
 * @throws ProcessEnded; Refusal `script_failed` for what is no answer; the reason of the signal
 */
export async function attempt(
  instance: Instance,
  call: ActiveCall,
  envelope: Envelope,
  signal: AbortSignal,
): Promise<ScriptAnswer> {
  const ended = instance.ended.then((ending) => {
    throw new ProcessEnded(ending);
  });
  // It is of no interest after the answer.
  ended.catch(() => undefined);
  const stopped = aborted(signal);
  await Promise.race([instance.listening, ended, stopped]);
  try {
    return await Promise.race([answerOf(instance.socketPath, call, envelope, signal), ended, stopped]);
  } catch (error) {
    if (error instanceof ProcessEnded || signal.aborted) throw error;
    // A connection breaks before its process is known to have ended.
    await Promise.race([ended, stopped, wait(1_000)]);
    throw new Refusal('script_failed', 'The script gave no answer', { cause: error });
  }
}

async function answerOf(
  socketPath: string,
  call: ActiveCall,
  { headers, body }: Envelope,
  signal: AbortSignal,
): Promise<ScriptAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({
      socketPath,
      path: '/v1',
      method: 'POST',
      agent: false,
      maxHeaderSize: largestHeaders,
      headers: { ...headers, host: 'integration.invalid', [callHeader]: call.id, 'content-length': body.length },
      signal,
    });
    sent.once('response', resolve).on('error', reject).end(body);
    sent.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('The script has switched protocols'));
    });
  });
  const { statusCode: status = 500, rawHeaders } = response;
  return { status, headers: passedOn(rawHeaders), ...(await begin(response)) };
}

async function begin(response: IncomingMessage): Promise<Pick<ScriptAnswer, 'held' | 'rest'>> {
  const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const held: Buffer[] = [];
  for (let bytes = 0; bytes <= heldBytes;) {
    const next = await chunks.next();
    if (next.done === true) return { held: Buffer.concat(held), rest: undefined };
    held.push(next.value);
    bytes += next.value.length;
  }
  return { held: Buffer.concat(held), rest: chunks };
}

function aborted(signal: AbortSignal): Promise<never> {
  const never = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  never.catch(() => undefined);
  return never;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
