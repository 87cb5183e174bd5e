import { AppError, blaming } from '@scriptorium/contracts';
import type { IncomingMessage } from 'node:http';

interface Bounds {
  /** Bytes. */
  most: number;
  withinMs: number;
}

/** The body of a request; `undefined` for one that has none. @throws AppError `too_large`, `request_timeout` */
export async function bodyOf(request: IncomingMessage, { most, withinMs }: Bounds): Promise<Buffer | undefined> {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('request_timeout')), withinMs);
  });
  return Promise.race([bytesOf(request, most), late]).finally(() => clearTimeout(timer));
}

async function bytesOf(request: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > most) throw blaming('too_large', 'body');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
