import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

/** The body of a request; undefined where it is larger than `most` bytes. What is beyond is not read. */
export async function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > most) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Passes on at most so many bytes, and fails with the next one. */
export function atMost(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new Error(`larger than ${most} bytes`));
      else done(null, chunk);
    },
  });
}
