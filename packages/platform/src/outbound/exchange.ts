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

/** The decoded body. Throws `bad_gateway` when it, or what it is decoded from, is larger than `maxBytes`. */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const within = limitTo(maxBytes);
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of within(source)) chunks.push(chunk);
  };
  const decoder = decoderOf(response.headers['content-encoding']);
  if (decoder === undefined) await pipeline(response, collect, { signal });
  else await pipeline(response, limitTo(maxBytes), decoder, collect, { signal });
  if (!response.complete) throw new AppError('bad_gateway', [], { message: 'The answer was not complete' });
  return Buffer.concat(chunks);
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
