import { keys, type ContentObjects, type ContentTree, type FileRecord } from '../../../versions/index.js';
import type { CheckedPicture } from '../layout/lay-out.process.js';
import { checkPicture } from './check-picture.js';

/** What one PDF has at most. What is beyond is its alt text. */
const most = { pictures: 300, bytes: 20 * 1024 * 1024, together: 200 * 1024 * 1024 };

/** Checked pictures, and their names by the ids of files. */
export interface PicturesOf {
  pictures: CheckedPicture[];
  names: Record<string, string>;
}

/** Reads and checks the pictures that a PDF shows. Equal bytes are one picture. */
export async function readPictures(
  objects: Pick<ContentObjects, 'files'>,
  trees: readonly ContentTree[],
  files: readonly string[],
): Promise<PicturesOf> {
  const pictures: CheckedPicture[] = [];
  const names: Record<string, string> = {};
  const byHash = new Map<string, string | undefined>();
  let left = most.together;
  for (const id of files) {
    const [record, pool] = await recordOf(trees, id);
    if (record === undefined || pool === undefined || record.size > most.bytes) continue;
    if (!byHash.has(record.hash)) {
      if (pictures.length >= most.pictures || record.size > left) continue;
      const bytes = await objects.files.bytes(pool, record.hash);
      const found = bytes === undefined ? undefined : checkPicture(bytes);
      const name = found && `${pictures.length + 1}.${found.ending}`;
      byHash.set(record.hash, name);
      if (found === undefined || name === undefined) continue;
      left -= found.bytes.length;
      pictures.push({ name, bytes: found.bytes });
    }
    const name = byHash.get(record.hash);
    if (name !== undefined) names[id] = name;
  }
  return { pictures, names };
}

async function recordOf(
  trees: readonly ContentTree[],
  id: string,
): Promise<[record: FileRecord | undefined, pool: string | undefined]> {
  for (const tree of trees) {
    const record = (await tree.get(keys.file(id))) as FileRecord | undefined;
    if (record !== undefined) return [record, tree.pool];
  }
  return [undefined, undefined];
}
