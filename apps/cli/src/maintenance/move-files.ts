import { join } from 'node:path';
import { BlobError, copyBlobs, openBlobs, type Blobs } from '@scriptorium/blobs';
import type { Screen } from '../command-line/screen.js';
import { filesOf } from '../installation/data-folder.js';
import { filesStoreForm, type MoveSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { checkFiles, filesFolder, filesName } from './files-folder.js';

/** The bytes of files of a move: the databases of both sides, and the store to which they go, if to another one. */
export interface FilesMove {
  settings: MoveSettings;
  mongodb: { from: string; to: string };
  store: string | undefined;
}

const every = 50;

/** @throws StopError when a store is none, or the one in which the bytes are anyway */
export function requireOtherStore(store: string | undefined, { FILES_STORE }: MoveSettings): void {
  if (store === undefined) return;
  if (!filesStoreForm.test(store))
    throw new StopError(`--files takes folder, folder:<path>, mongodb or s3:<bucket>, not ${store}`);
  if (store === FILES_STORE) throw new StopError(`--files names ${store}, which FILES_STORE names already`);
}

/**
 * Copies the bytes of files to another store, or checks those that stay in a folder. Returns what was done, in lines.
 * @throws StopError when bytes are damaged, or a store does not answer
 */
export async function moveFiles(move: FilesMove, screen: Screen): Promise<string[]> {
  const { settings, mongodb, store } = move;
  if (store === undefined) return checkedFiles(settings);
  const from = await openStore(settings.FILES_STORE, settings, mongodb.from);
  const to = await openStore(store, settings, mongodb.to);
  try {
    const show = (done: number): void => {
      if (done % every === 0) screen.show(`copied ${done} files`);
    };
    const { copied, present, bytes } = await copyBlobs(from, to, show);
    return [`files: ${copied} copied, ${present} were there (${bytes} bytes); begin with FILES_STORE=${store}`];
  } catch (error) {
    if (error instanceof BlobError) throw new StopError(error.message, error);
    throw error;
  } finally {
    await from.close();
    await to.close();
  }
}

async function checkedFiles({ DATA_DIR, FILES_STORE }: MoveSettings): Promise<string[]> {
  const folder = filesFolder(filesOf(DATA_DIR).path, FILES_STORE);
  const { sound, lines } = folder === undefined ? { sound: true, lines: [] } : await checkFiles(folder);
  if (!sound) throw new StopError(lines.join('\n'));
  return [...lines, 'bytes of files stay where FILES_STORE says'];
}

function openStore(name: string, settings: MoveSettings, url: string): Promise<Blobs> {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = settings;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return openBlobs(name, {
    folder: join(filesOf(settings.DATA_DIR).path, filesName),
    // Content keeps them.
    mongo: { url, database: `${settings.NAMESPACE}_content` },
    s3: { endpoint, region, credentials: isGiven ? { accessKeyId, secretAccessKey } : undefined },
  });
}
