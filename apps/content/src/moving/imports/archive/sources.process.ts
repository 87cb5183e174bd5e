import { BlobError } from '@scriptorium/blobs';
import { AppError, blaming, contentBounds, type Principal } from '@scriptorium/contracts';
import type { Call, Scope } from '@scriptorium/platform';
import { findUpload, poolOfUpload, type FileStore } from '../../../versions/index.js';
import type { SourceFile } from '../imports.operational.js';
import { unfit } from '../refusal.js';

/** The upload in which an import puts aside what it fetches and unpacks. It ends by itself, should nobody remove it. */
export function uploadOfImport(id: string): string {
  return `import-${id}`;
}

const asideForMs = 24 * 3_600_000;

/** Makes room for what an import puts aside. */
export async function putAside(
  { now }: Pick<Scope, 'now'>,
  files: FileStore,
  { id, organization, user }: { id: string; organization: string; user: string },
): Promise<void> {
  const about = { organization, user, kind: 'staged', name: '', type: '' } as const;
  const upload = { ...about, size: 0, bytes: null, used: true, endsAt: now() + asideForMs };
  await files.putAside(uploadOfImport(id), upload, `import-${id}`);
}

/** The uploads that an import is made of. @throws AppError `content_change_invalid` naming the field */
export async function uploadedSources(
  call: Pick<Call<Principal | null>, 'database' | 'now' | 'principal'>,
  organization: string,
  keys: readonly string[],
): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const [index, key] of keys.entries()) {
    const refuse = (message: string): AppError =>
      blaming('content_change_invalid', `body.source.files[${index}]`, message);
    const upload = await findUpload(call, key, call.now());
    if (upload?.organization !== organization || upload.user !== call.principal?.id || upload.kind === 'staged')
      throw refuse('There is no such upload of yours, or it has ended');
    if (upload.kind !== 'import_file') throw refuse('The upload was begun as something else than an import_file');
    if (upload.bytes === null) throw refuse('Its bytes have not arrived');
    const { name, size, bytes } = upload;
    const isArchive = /\.zip$/i.test(name) || bytes.contentType === 'application/zip';
    sources.push({ upload: key, hash: bytes.hash, size, name, isArchive });
  }
  return sources;
}

/**
 * Fetches an archive, and puts it aside.
 * @throws AppError `invalid_request` for an address that is refused, `bad_gateway` for failures of the other side
 */
export async function fetchSource(
  { outbound, now }: Pick<Scope, 'outbound' | 'now'>,
  files: FileStore,
  { id, url, deadline }: { id: string; url: string; deadline: number },
): Promise<SourceFile> {
  const upload = uploadOfImport(id);
  const blobs = await files.blobs();
  const withinMs = Math.max(1, deadline - now());
  const limits = { most: contentBounds.fileBytes, deadline };
  const request = { url, field: 'body.source.url', maxBytes: contentBounds.fileBytes, withinMs };
  const { hash, size } = await outbound.download(request, async (bytes) => {
    try {
      return await blobs.write(poolOfUpload(upload), bytes, limits);
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      if (error.code === 'too_large') throw unfit(url, 'It is larger than 100 MiB');
      throw error.cause instanceof AppError ? error.cause : error;
    }
  });
  return { upload, hash, size, name: nameIn(url), isArchive: true };
}

function nameIn(url: string): string {
  return new URL(url).pathname.split('/').at(-1) || 'archive.zip';
}
