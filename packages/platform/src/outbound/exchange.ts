import { AppError } from '@scriptorium/contracts';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** One request over its own connection. */
export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const largestHeader = 16 * 1024;
const userAgent = 'Scriptorium';

/** Sends a request and returns the head of the answer. The connection ends with the body. */
export function send(socket: Socket, { url, method, headers, body }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      method,
      path: `${url.pathname}${url.search}`,
      // No agent, since an agent would open connections itself.
      createConnection: () => socket,
      setHost: false,
      maxHeaderSize: largestHeader,
      headers: {
        ...headers,
        host: url.host,
        'user-agent': userAgent,
        'accept-encoding': 'gzip, br',
        connection: 'close',
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
      },
    });
    outgoing.once('response', resolve);
    // Destroying it can cause another error, which is ignored.
    outgoing.on('error', reject);
    // The connection ended without an answer, for example after a switch to another protocol.
    outgoing.once('close', () => reject(new AppError('bad_gateway', [], { message: 'The other side gave no answer' })));
    outgoing.end(body);
  });
}

/** Reads a body to its end. */
export type TakeBody<T> = (body: AsyncIterable<Uint8Array>) => Promise<T>;

/** A body in memory. */
export async function gather(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * What `take` makes of the decoded body, which it gets as it arrives. What the other side does wrong comes before what
 * `take` makes of that.
 * @throws AppError `bad_gateway` when the body, or what it is decoded from, is larger than `maxBytes`, or ends too
 * early
 */
export async function takeBody<T>(
  response: IncomingMessage,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
  take: TakeBody<T>,
): Promise<T> {
  let failed: { readonly error: unknown } | undefined;
  let taken: { readonly value: T } | undefined;
  const arriving = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* limitTo(maxBytes)(source);
      if (!response.complete) throw new AppError('bad_gateway', [], { message: 'The answer was not complete' });
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    taken = { value: await take(arriving(source)) };
  };
  const decoder = decoderOf(response.headers['content-encoding']);
  try {
    if (decoder === undefined) await pipeline(response, collect, { signal });
    else await pipeline(response, limitTo(maxBytes), decoder, collect, { signal });
  } catch (error) {
    throw failed === undefined ? error : failed.error;
  }
  if (taken === undefined) throw new AppError('bad_gateway', [], { message: 'The answer was not complete' });
  return taken.value;
}

/** The first bytes of the decoded body. What comes after them is not read. */
export async function takeBeginning(
  response: IncomingMessage,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) return;
    }
  };
  const decoder = decoderOf(response.headers['content-encoding']);
  try {
    if (decoder === undefined) await pipeline(response, collect, { signal });
    else await pipeline(response, decoder, collect, { signal });
  } catch (error) {
    // That the rest was not read may look like a failure.
    if (bytes < maxBytes || signal.aborted) throw error;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function limitTo(maxBytes: number) {
  return async function* limited(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new AppError('bad_gateway', [], { message: `The answer is larger than ${maxBytes} bytes` });
      yield chunk;
    }
  };
}

function decoderOf(encoding = 'identity') {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
    case '':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new AppError('bad_gateway', [], { message: 'The answer has an encoding that was not asked for' });
  }
}
