import { sniff } from '@scriptorium/blobs';
import { AppError, blaming, invalid } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { IncomingHttpHeaders } from 'node:http';
import { withRefusals } from '../store/blob-failure.js';
import type { FileStore } from '../store/file-store.operational.js';
import { isSigned } from '../store/signed-urls.js';
import { findUpload, poolOfUpload, setBytes, type Upload, type UploadedBytes } from '../store/uploads.operational.js';

/** The address of an upload, as it was signed. */
export interface UploadAddress {
  id: string;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/** An upload whose bytes may come. */
export interface OpenUpload extends Upload {
  id: string;
  /** The SHA-256 that the sender has announced. */
  announced: string | undefined;
}

/** How long the bytes of an upload may take to arrive, ms. */
const arriveWithinMs = 600_000;

/**
 * Judges a PUT by its head alone.
 * @throws AppError `forbidden` for an address that was not signed or has ended, `not_found` for an upload that has
 * ended, `invalid_request` naming the header
 */
export async function requireUpload(
  context: ServiceContext,
  { id, expires, signature }: UploadAddress,
  headers: IncomingHttpHeaders,
): Promise<OpenUpload> {
  if (!isSigned(context.keys, ['put', id, expires], signature))
    throw blaming('forbidden', 'query.signature', 'The address was not made by this installation');
  if (expires * 1_000 <= context.now())
    throw blaming('forbidden', 'query.expires', 'The address has ended, begin another upload');
  const upload = await findUpload(context, id, context.now());
  if (upload === undefined) throw new AppError('not_found');
  requireLength(headers, upload.size);
  return { ...upload, id, announced: announcedHash(headers['content-digest']) };
}

function requireLength(headers: IncomingHttpHeaders, size: number): void {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw invalid('headers.content-encoding', 'The bytes have to be sent as they are');
  if (length === undefined) throw invalid('headers.content-length', 'Has to be given');
  if (Number(length) === size) return;
  throw invalid('headers.content-length', `Must be ${size}, which the upload was begun with`);
}

/** The SHA-256 in a `Content-Digest` header (RFC 9530), as hexadecimal digits. */
function announcedHash(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, encoded = ''] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/.exec(String(header)) ?? [];
  if (encoded === '') throw invalid('headers.content-digest', 'Must have sha-256=:<base64 of 32 bytes>:');
  return Buffer.from(encoded, 'base64').toString('hex');
}

/**
 * Stores the bytes of an upload as they come. It can be repeated with the same bytes.
 * @returns their SHA-256
 * @throws AppError `invalid_request` for other bytes than were announced, `already_exists` when the upload has others
 * already, `request_timeout` when they end too early or come too slowly, `unavailable` when they cannot be stored;
 * nothing is kept then
 */
export async function receiveUpload(
  context: ServiceContext,
  files: FileStore,
  upload: OpenUpload,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  const pool = poolOfUpload(upload.id);
  const blobs = await files.blobs();
  const limits = { most: upload.size, deadline: context.now() + arriveWithinMs };
  const { hash, size, head } = await withRefusals(() => blobs.write(pool, bytes, limits));
  const fits = size === upload.size && (upload.announced ?? hash) === hash;
  if (fits) await setBytes(context, upload.id, { hash, ...(await typeOf(head, upload)) });
  const settled = await findUpload(context, upload.id, context.now());
  if (settled?.bytes?.hash !== hash) await withRefusals(() => blobs.remove(pool, [hash]));
  if (!fits) throw invalid('headers.content-digest', `The bytes have the SHA-256 ${hash}`);
  if (settled === undefined) throw new AppError('not_found');
  if (settled.bytes?.hash !== hash)
    throw new AppError('already_exists', [], { message: 'The upload has other bytes already' });
  return hash;
}

/** What the bytes are; what was declared only where they do not tell. */
export async function typeOf(
  head: Uint8Array,
  { name, type }: { name: string; type?: string | undefined },
): Promise<Omit<UploadedBytes, 'hash'>> {
  const { contentType, dimensions } = await sniff(head, name);
  const declared = contentType === 'application/octet-stream' ? (type ?? contentType) : contentType;
  return { contentType: declared, ...(dimensions === undefined ? {} : { dimensions }) };
}
