import { BlobError, HEAD_BYTES, type WrittenBlob } from '@scriptorium/blobs';
import { AppError, blaming, contentBounds, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import { asRefusal } from '../store/blob-failure.js';
import type { FileStore, PutAside } from '../store/file-store.operational.js';
import { typeOf } from '../uploads/receive-upload.process.js';
import { findUpload, poolOfUpload, type UploadedBytes } from '../store/uploads.operational.js';

/** What bringing bytes needs of a request. */
export type StagingCall = Pick<
  Call<Principal | null>,
  'principal' | 'deadline' | 'limits' | 'now' | 'outbound' | 'quotas' | 'store' | 'database'
>;

/** Bytes that a request brings, before anything refers to them. */
export interface StagedFile extends PutAside, UploadedBytes {}

/** Where a file of a request comes from. */
export interface FileSource {
  /** Names it in refusals. */
  path: string;
  name: string;
  url?: string | undefined;
  base64?: string | undefined;
  upload?: string | undefined;
  contentType?: string | undefined;
}

/** Where the bytes of one file are put aside. */
interface Place {
  organization: string;
  id: string;
}

const fetchWithinMs = 5_000;
/** What is left of the time of a request when the bytes are there, ms. */
const reserveMs = 5_000;
/** What is put aside for one request goes with it, or, should the process end, this much later, ms. */
const asideForMs = 3_600_000;

/**
 * The bytes of an upload. It can be used by who began it, in the organization that it was begun for, until it ends.
 * @throws AppError `content_change_invalid` naming the field
 */
export async function fileFromUpload(
  call: StagingCall,
  organization: string,
  { path, contentType }: FileSource,
  key: string,
): Promise<StagedFile> {
  const refuse = (message: string): AppError => blaming('content_change_invalid', `${path}.upload`, message);
  const upload = await findUpload(call, key, call.now());
  if (upload?.organization !== organization || upload.user !== call.principal?.id || upload.kind === 'staged')
    throw refuse('There is no such upload of yours, or it has ended');
  if (upload.kind !== 'space_file' && upload.kind !== 'organization_file')
    throw refuse('The upload was begun as something else than a file');
  if (upload.bytes === null) throw refuse('Its bytes have not arrived');
  const { hash, dimensions } = upload.bytes;
  const type = known(upload.bytes.contentType, contentType);
  return {
    upload: key,
    hash,
    size: upload.size,
    contentType: type,
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

/** A declared type counts only where the bytes tell none. */
function known(contentType: string, declared: string | undefined): string {
  return contentType === 'application/octet-stream' ? (declared ?? contentType) : contentType;
}

export async function fileFromBase64(
  call: StagingCall,
  files: FileStore,
  place: Place,
  source: FileSource,
  base64: string,
): Promise<StagedFile> {
  const bytes = Buffer.from(base64, 'base64');
  if (call.store.dry) {
    const hash = createHash('sha256').update(bytes).digest('hex');
    return staged(place, source, { hash, size: bytes.length, head: bytes.subarray(0, HEAD_BYTES) });
  }
  const written = await write(call, files, place, source)([bytes]);
  return staged(place, source, written);
}

/**
 * Fetches a file. A dry run only judges the address.
 * @throws AppError `invalid_request` for an address that is refused, `bad_gateway` for failures of the other side, both
 * naming the field
 */
export async function fileFromUrl(
  call: StagingCall,
  files: FileStore,
  place: Place,
  source: FileSource,
  url: string,
): Promise<StagedFile> {
  const field = `${source.path}.url`;
  if (call.store.dry) {
    call.outbound.check(url, field);
    return staged(place, source, { hash: createHash('sha256').digest('hex'), size: 0, head: new Uint8Array() });
  }
  const withinMs = Math.min(fetchWithinMs, call.deadline - reserveMs - call.now());
  if (withinMs <= 0) throw new AppError('unavailable', [], { message: 'There are too many files for one request' });
  const request = { url, field, maxBytes: contentBounds.fileBytes, withinMs };
  try {
    const written = await call.outbound.download(request, write(call, files, place, source));
    return await staged(place, source, written);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'bad_gateway') throw error;
    throw blaming('bad_gateway', field, error.message);
  }
}

/** Stores bytes as an upload of this request alone. */
function write(call: StagingCall, files: FileStore, { organization, id }: Place, { name, contentType }: FileSource) {
  return async (bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<WrittenBlob> => {
    const endsAt = call.now() + asideForMs;
    const about = {
      organization,
      user: call.principal?.id ?? '',
      kind: 'staged',
      name,
      type: contentType ?? '',
    } as const;
    await files.putAside(id, { ...about, size: 0, bytes: null, used: true, endsAt }, call.store.context.correlation);
    const blobs = await files.blobs();
    try {
      const limits = { most: contentBounds.fileBytes, deadline: call.deadline - reserveMs / 2 };
      return await blobs.write(poolOfUpload(id), arriving(bytes), limits);
    } catch (error) {
      const { cause } = error as BlobError;
      throw error instanceof BlobError && cause instanceof AppError ? cause : asRefusal(error);
    }
  };
}

async function* arriving(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

async function staged(
  { id }: Place,
  { name, contentType }: FileSource,
  { hash, size, head }: WrittenBlob,
): Promise<StagedFile> {
  return { upload: id, hash, size, ...(await typeOf(head, { name, type: contentType })) };
}
