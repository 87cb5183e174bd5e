import type { Scope } from '@scriptorium/platform';
import { Readable } from 'node:stream';
import { withRefusals, type FileStore } from '../../versions/index.js';
import type { FinishedPdf } from './make-pdf.process.js';
import {
  bytesOfPdfs,
  dropPdf,
  dropPdfsOf,
  forgetMade,
  hasSameBytes,
  noteMade,
  oldestPdfs,
  unusedPdfs,
  type MadePdf,
} from './pdfs.operational.js';

type Within = Pick<Scope, 'database' | 'now'>;

/** How long a PDF is kept after it was used last, ms. */
export const keptMs = 24 * 3_600_000;
/** The bytes of all PDFs of an installation, at most. */
const mostBytes = 2 * 1024 * 1024 * 1024;
const writeWithinMs = 60_000;
const atOnce = 50;

/** Where bytes of PDFs of a space are. They are no files of the space, and count for nobody. */
export function poolOfPdfs(space: string): string {
  return `pdf-${space}`;
}

/** Keeps a PDF; the oldest ones make room for it. */
export async function keepPdf(
  scope: Within,
  files: FileStore,
  { key, space }: { key: string; space: string },
  { pdf, sheets, isAccessible, missingScripts }: FinishedPdf,
): Promise<MadePdf> {
  const { hash, size } = await writePart(scope, files, space, pdf);
  const made = { hash, size, sheets, isAccessible, missingScripts };
  if (!(await noteMade(scope, key, made))) await dropBytes(scope, files, space, hash);
  await makeRoom(scope, files, key);
  return made;
}

/** Keeps bytes in the pool of PDFs of a space. */
export async function writePart(
  { now }: Pick<Within, 'now'>,
  files: FileStore,
  space: string,
  bytes: Buffer,
): Promise<{ hash: string; size: number }> {
  const blobs = await files.blobs();
  const limits = { most: bytes.length, deadline: now() + writeWithinMs };
  const { hash } = await withRefusals(() => blobs.write(poolOfPdfs(space), Readable.from([bytes]), limits));
  return { hash, size: bytes.length };
}

export async function dropParts(files: FileStore, space: string, hashes: readonly string[]): Promise<void> {
  const blobs = await files.blobs();
  if (hashes.length > 0) await withRefusals(() => blobs.remove(poolOfPdfs(space), hashes));
}

async function makeRoom(scope: Within, files: FileStore, but: string): Promise<void> {
  let bytes = await bytesOfPdfs(scope);
  while (bytes > mostBytes) {
    const oldest = (await oldestPdfs(scope, atOnce)).filter(({ _id }) => _id !== but);
    if (oldest.length === 0) return;
    for (const { _id, space, made } of oldest) {
      if (bytes <= mostBytes || made === undefined) break;
      await forgetMade(scope, _id);
      await dropBytes(scope, files, space, made.hash);
      bytes -= made.size;
    }
  }
}

/** Removes PDFs that were not used for a day. @returns whether there are more */
export async function dropUnused(scope: Within, files: FileStore): Promise<boolean> {
  const before = scope.now() - keptMs;
  const unused = await unusedPdfs(scope, before, atOnce);
  for (const { _id, space, made } of unused)
    if ((await dropPdf(scope, _id, before)) && made !== undefined) await dropBytes(scope, files, space, made.hash);
  return unused.length === atOnce;
}

async function dropBytes(scope: Within, files: FileStore, space: string, hash: string): Promise<void> {
  if (!(await hasSameBytes(scope, space, hash))) await dropParts(files, space, [hash]);
}

/** With a space go its PDFs. */
export async function dropSpacePdfs(scope: Pick<Scope, 'database'>, files: FileStore, space: string): Promise<void> {
  await dropPdfsOf(scope, space);
  const blobs = await files.blobs();
  await withRefusals(() => blobs.removePool(poolOfPdfs(space)));
}
