import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType } from 'node:zlib';
import { AppError } from '@scriptorium/contracts';

type Decode = (body: InputType, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decode>> = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** A body may become so many times what arrived of it; JSON that says the same again and again stays below. */
const mostRatio = 100;
/** What is small may be anything: ratios of some bytes say nothing. */
const alwaysFine = 64 * 1024;

/** Bytes that a coded body of `received` may have, where plain ones have at most `limit`. */
export function mostDecoded(received: number, limit: number): number {
  return Math.min(limit, Math.max(alwaysFine, received * mostRatio));
}

/** The one coding of a body, undefined where it is plain. @throws AppError `unsupported_media_type` for codings that nobody here reads */
export function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  if (Object.hasOwn(decoders, coding)) return coding;
  const message = 'Must be one of gzip, br, deflate, identity, or absent';
  throw new AppError('unsupported_media_type', [{ path: 'headers.content-encoding', message }], { message: `Content-Encoding: ${message}` });
}

/**
 * Decodes a body, off the event loop and never further than it may be large.
 * @throws AppError `too_large` beyond `mostDecoded`, `invalid_request` for bytes that are not of the coding
 */
export async function decodeBody(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  try {
    return await (decoders[coding] as Decode)(body, { maxOutputLength: mostDecoded(body.length, limit) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new AppError('too_large', [{ path: 'body', message: 'Is too large once decoded' }], { cause });
    const message = `Must be ${coding}, as Content-Encoding says`;
    throw new AppError('invalid_request', [{ path: 'body', message }], { message: `body: ${message}`, cause });
  }
}
