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
  keptPeople,
  longestUnused,
  noteMade,
  oldestPdfs,
  pdfsNaming,
  unusedPdfs,
  type MadePdf,
} from './pdfs.operational.js';

type Within = Pick<Scope, 'database' | 'now'>;
/** Where bytes are kept. */
type Bytes = Pick<FileStore, 'blobs'>;

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
  files: Bytes,
  { key, space }: { key: string; space: string },
  { pdf, people, ...about }: FinishedPdf,
): Promise<MadePdf> {
  const { hash, size } = await writePart(scope, files, space, pdf);
  const made = { hash, size, ...about, people: keptPeople(people) };
  if (!(await noteMade(scope, key, made))) await dropBytes(scope, files, space, hash);
  await makeRoom(scope, files, key);
  return made;
}

/** Keeps bytes in the pool of PDFs of a space. */
export async function writePart(
  { now }: Pick<Within, 'now'>,
  files: Bytes,
  space: string,
  bytes: Buffer,
): Promise<{ hash: string; size: number }> {
  const blobs = await files.blobs();
  const limits = { most: bytes.length, deadline: now() + writeWithinMs };
  const { hash } = await withRefusals(() => blobs.write(poolOfPdfs(space), Readable.from([bytes]), limits));
  return { hash, size: bytes.length };
}

export async function dropParts(files: Bytes, space: string, hashes: readonly string[]): Promise<void> {
  const blobs = await files.blobs();
  if (hashes.length > 0) await withRefusals(() => blobs.remove(poolOfPdfs(space), hashes));
}

/** Removes bytes of PDFs, from the one on that was used longest ago, until `most` are left; never those of `but`. */
export async function makeRoom(scope: Within, files: Bytes, but: string, most = mostBytes): Promise<void> {
  let bytes = await bytesOfPdfs(scope);
  while (bytes > most) {
    const oldest = (await oldestPdfs(scope, atOnce)).filter(({ _id }) => _id !== but);
    if (oldest.length === 0) return;
    for (const { _id, space, made } of oldest) {
      if (bytes <= most || made === undefined) break;
      await forgetMade(scope, _id);
      await dropBytes(scope, files, space, made.hash);
      bytes -= made.size;
    }
  }
}

/**
 * Removes PDFs that were not used for a day.
 * @returns when the next one is due, in ms; `undefined` when there are none
 */
export async function dropUnused(scope: Within, files: Bytes): Promise<number | undefined> {
  const before = scope.now() - keptMs;
  for (const { _id, space, made } of await unusedPdfs(scope, before, atOnce))
    if ((await dropPdf(scope, _id, before)) && made !== undefined) await dropBytes(scope, files, space, made.hash);
  const first = await longestUnused(scope);
  return first === undefined ? undefined : first + keptMs + 1;
}

async function dropBytes(scope: Pick<Scope, 'database'>, files: Bytes, space: string, hash: string): Promise<void> {
  if (!(await hasSameBytes(scope, space, hash))) await dropParts(files, space, [hash]);
}

/** Removes the bytes of PDFs that may name a person. They are made again when they are fetched. */
export async function dropNaming(scope: Pick<Scope, 'database'>, files: Bytes, user: string): Promise<void> {
  for (;;) {
    const found = await pdfsNaming(scope, user, atOnce);
    for (const { _id, space, made } of found) {
      await forgetMade(scope, _id);
      if (made !== undefined) await dropBytes(scope, files, space, made.hash);
    }
    if (found.length < atOnce) return;
  }
}

/** With a space go its PDFs. */
export async function dropSpacePdfs(scope: Pick<Scope, 'database'>, files: Bytes, space: string): Promise<void> {
  await dropPdfsOf(scope, space);
  const blobs = await files.blobs();
  await withRefusals(() => blobs.removePool(poolOfPdfs(space)));
}
