import { servedInline, type Blobs, type ByteRange } from '@scriptorium/blobs';
import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { wantedBytes } from './byte-range.js';
import { withRefusals } from './blob-failure.js';
import { findStored } from './stored-files.operational.js';

export interface FileAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** To be read to its end or destroyed; absent for answers without a body. */
  body?: Readable;
}

/**
 * Nothing that a file has runs in a browser: its type is not guessed, documents are sandboxed and load nothing, and
 * what could be active is offered for saving.
 */
const inert = {
  'accept-ranges': 'bytes',
  'content-security-policy': "default-src 'none'; img-src 'self'; media-src 'self'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** A file that whoever asks may have. `cached`: how long answers may be kept. */
export interface GivenFile {
  alias: string;
  hash: string;
  name: string;
  type: string;
  cached: string;
}

interface Bytes {
  blobs(): Promise<Blobs>;
}

/**
 * Answers a GET or HEAD of a file. Who may have it was judged.
 * @throws AppError `not_found` for bytes that are gone
 */
export async function giveFile(
  context: Pick<ServiceContext, 'database'>,
  files: Bytes,
  address: GivenFile,
  request: { method: string; headers: IncomingHttpHeaders },
): Promise<FileAnswer> {
  const { pool, size } = (await findStored(context, `${address.alias}/${address.hash}`)) ?? gone();
  return giveBytes(files, { pool, size, hash: address.hash, headers: headersOf(address) }, request);
}

/** Bytes of a pool, and the headers with which they are given. */
export interface GivenBytes {
  pool: string;
  hash: string;
  size: number;
  headers: Record<string, string | number>;
}

/**
 * Answers a GET or HEAD with bytes of a pool: all of them, a range, or none for whoever has them.
 * @throws AppError `not_found` for bytes that are gone
 */
export async function giveBytes(
  files: Bytes,
  { pool, hash, size, headers }: GivenBytes,
  request: { method: string; headers: IncomingHttpHeaders },
): Promise<FileAnswer> {
  const tag = `"${hash}"`;
  if (namesTag(request.headers['if-none-match'], tag)) return { status: 304, headers };
  const range = rangeOf(request.headers, tag, size);
  if (range === 'unsatisfiable') return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } };
  const length = range === undefined ? size : range.end - range.start;
  const part = range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end - 1}/${size}` };
  const status = range === undefined ? 200 : 206;
  const answer = { status, headers: { ...headers, ...part, 'content-length': length } } as const;
  if (request.method === 'HEAD') return answer;
  return { ...answer, body: await bytesOf(files, pool, hash, range) };
}

function headersOf({ hash, name, type, cached }: GivenFile) {
  return {
    ...inert,
    etag: `"${hash}"`,
    'content-type': type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type,
    'content-disposition': `${servedInline(type) ? 'inline' : 'attachment'}; ${fileName(name)}`,
    'cache-control': cached,
  };
}

/** A file name for a header: in ASCII for old clients, and as it is (RFC 6266). */
export function fileName(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function rangeOf({ range, 'if-range': ifRange }: IncomingHttpHeaders, tag: string, size: number) {
  return ifRange === undefined || ifRange === tag ? wantedBytes(range, size) : undefined;
}

function namesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

async function bytesOf(files: Bytes, pool: string, hash: string, range: ByteRange | undefined): Promise<Readable> {
  const blobs = await files.blobs();
  const found = await withRefusals(() => blobs.read(pool, hash, range));
  return found?.stream ?? gone();
}

function gone(): never {
  throw new AppError('not_found');
}
