import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType } from 'node:zlib';
import { AppError } from '@scriptorium/contracts';

type Decode = (body: InputType, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** How much larger a body may become when it is decoded; very repetitive JSON stays below. */
const maxRatio = 100;
/** Bodies up to this size are accepted whatever their ratio is. */
const alwaysAccepted = 64 * 1024;

/** The largest decoded size of a body of `received` encoded bytes; `limit`: that of a plain body. */
export function maxDecoded(received: number, limit: number): number {
  return Math.min(limit, Math.max(alwaysAccepted, received * maxRatio));
}

/**
 * The content coding of a body; undefined for a plain one. @throws `unsupported_media_type` for unknown codings and for
 * several
 */
export function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  if (Object.hasOwn(decoders, coding)) return coding;
  const message = 'Must be one of gzip, br, deflate, identity, or absent';
  throw new AppError('unsupported_media_type', [{ path: 'headers.content-encoding', message }], {
    message: `Content-Encoding: ${message}`,
  });
}

/**
 * Decodes a body in a thread of its own, up to the size that is allowed.
 * @throws `too_large` beyond `maxDecoded`, `invalid_request` for bytes that are not of the coding
 */
export async function decodeBody(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  try {
    return await (decoders[coding] as Decode)(body, { maxOutputLength: maxDecoded(body.length, limit) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new AppError('too_large', [{ path: 'body', message: 'Is too large after decoding' }], { cause });
    const message = `Must be ${coding}, as Content-Encoding says`;
    throw new AppError('invalid_request', [{ path: 'body', message }], { message: `body: ${message}`, cause });
  }
}
