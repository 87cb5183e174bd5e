import { AppError } from '@scriptorium/contracts';
import { type FileStore, poolOfUpload } from '../../../versions/index.js';
import type { Range } from '../entry.js';
import type { SourceFile } from '../imports.operational.js';
import { unfit } from '../refusal.js';

/** Bytes between two parts that are read along with them, rather than to begin anew. */
const smallGap = 64 * 1024;
/** Bytes that are read at once. */
const longestRead = 8 * 1024 * 1024;

/**
 * Parts of the sources of an import, in their order. @throws AppError `content_change_invalid` for bytes that are gone
 */
export async function readParts(
  files: FileStore,
  sources: readonly SourceFile[],
  ranges: readonly Range[],
): Promise<Uint8Array[]> {
  const parts = new Map<Range, Uint8Array>();
  for (const together of grouped(ranges)) {
    const [first] = together;
    if (first === undefined) continue;
    const end = Math.max(...together.map((range) => range.end));
    const bytes = await readPart(files, sources, { ...first, end });
    for (const range of together) parts.set(range, bytes.subarray(range.start - first.start, range.end - first.start));
  }
  return ranges.map((range) => parts.get(range) ?? new Uint8Array());
}

/** Parts that stand close together, in the order of their places. */
function grouped(ranges: readonly Range[]): Range[][] {
  const sorted = [...ranges].sort((a, b) => a.archive - b.archive || a.start - b.start);
  const groups: Range[][] = [];
  let end = 0;
  for (const range of sorted) {
    const group = groups.at(-1);
    const first = group?.[0];
    const isNear =
      first?.archive === range.archive && range.start <= end + smallGap && range.end - first.start <= longestRead;
    if (isNear) group?.push(range);
    else groups.push([range]);
    end = isNear ? Math.max(end, range.end) : range.end;
  }
  return groups;
}

async function readPart(files: FileStore, sources: readonly SourceFile[], range: Range): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamPart(files, sources, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** One part as it is read. */
export async function* streamPart(
  files: FileStore,
  sources: readonly SourceFile[],
  { archive, start, end }: Range,
): AsyncGenerator<Uint8Array> {
  const source = sources[archive];
  if (source === undefined) throw new AppError('unexpected', [], { message: `There is no source ${archive}` });
  const blobs = await files.blobs();
  const range = { start, end: Math.max(start, Math.min(end, source.size)) };
  const found = await blobs.read(poolOfUpload(source.upload), source.hash, range);
  if (found === undefined) throw unfit(source.name, 'Its bytes are gone, upload it again');
  yield* found.stream as AsyncIterable<Uint8Array>;
}
