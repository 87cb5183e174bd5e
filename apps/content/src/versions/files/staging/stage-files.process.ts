import type { ContentChange } from '@scriptorium/contracts';
import { newId } from '@scriptorium/platform';
import type { FileStore } from '../store/file-store.operational.js';
import {
  fileFromBase64,
  fileFromUpload,
  fileFromUrl,
  type FileSource,
  type StagedFile,
  type StagingCall,
} from './file-sources.process.js';
import { markUsed } from '../store/uploads.operational.js';

/** The bytes that a request brings. */
export interface StagedFiles {
  /** Those of the change, or of the file in a change, at a path; undefined when it brings none. */
  at(path: string): StagedFile | undefined;
  /**
   * Gives a pool all of them, before a revision that names them is recorded. Absent when the request brings none.
   * @throws AppError `limit_reached`, `unavailable`
   */
  keep: ((pool: string) => Promise<void>) | undefined;
  /** Removes what was put aside for this request alone. */
  drop(): Promise<void>;
}

/** Sources that are read at once. */
const atOnce = 4;

/**
 * Reads the bytes of all files that changes bring, so that this is done once, however often the changes are made. They
 * are put aside as uploads are, and removed with these should the process end.
 * @throws AppError `content_change_invalid`, `invalid_request` and `bad_gateway` naming the file, `unavailable`
 */
export async function stageFiles(
  call: StagingCall,
  files: FileStore,
  { organization, changes }: { organization: string; changes: readonly ContentChange[] },
): Promise<StagedFiles> {
  const sources = changes.flatMap((change, index) => sourcesIn(change, `body.changes[${index}]`));
  const staged = new Map<string, StagedFile>();
  const own: string[] = [];
  const drop = async (): Promise<void> => {
    // What cannot be removed now ends as unused uploads do.
    await Promise.all(own.map((id) => files.dropUpload(id).catch(() => undefined)));
  };
  const reading = (source: FileSource) => read(call, files, { organization, source, own });
  await readAll(sources, async (source) => void staged.set(source.path, await reading(source))).catch(
    async (error: unknown) => {
      await drop();
      throw error;
    },
  );
  const keep = async (pool: string): Promise<void> => {
    const all = [...staged.values()];
    await files.keep(call, { organization, pool }, all);
    if (!call.store.dry)
      await markUsed(
        call,
        all.map(({ upload }) => upload),
      );
  };
  return { at: (path) => staged.get(path), drop, keep: staged.size === 0 ? undefined : keep };
}

/** Reads some sources at a time. Rejects with the first failure, when none is being read any more. */
async function readAll(sources: readonly FileSource[], readOne: (source: FileSource) => Promise<void>): Promise<void> {
  const waiting = [...sources];
  const failed: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failed.length === 0; next = waiting.shift())
      await readOne(next).catch((error: unknown) => failed.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failed.length > 0) throw failed[0];
}

function sourcesIn(change: ContentChange, path: string): FileSource[] {
  switch (change.operation) {
    case 'insert_files':
      return change.files.map((file, index) => ({ ...file, path: `${path}.files[${index}]` }));
    case 'update_file':
      return hasSource(change) ? [{ ...change, name: change.name ?? '', path }] : [];
    default:
      return [];
  }
}

function hasSource({ url, base64, upload }: Omit<FileSource, 'name' | 'path'>): boolean {
  return url !== undefined || base64 !== undefined || upload !== undefined;
}

/** `own`: gets the ids of what is put aside for this request alone. */
async function read(
  call: StagingCall,
  files: FileStore,
  { organization, source, own }: { organization: string; source: FileSource; own: string[] },
): Promise<StagedFile> {
  if (source.upload !== undefined) return fileFromUpload(call, organization, source, source.upload);
  // Not an id that follows from the idempotency key: of two requests with one key at once, each puts aside and removes
  // its own.
  const id = newId();
  if (!call.store.dry) own.push(id);
  const place = { organization, id };
  if (source.base64 !== undefined) return fileFromBase64(call, files, place, source, source.base64);
  return fileFromUrl(call, files, place, source, source.url ?? '');
}
