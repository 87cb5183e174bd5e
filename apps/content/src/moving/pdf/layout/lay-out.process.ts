import { AppError } from '@scriptorium/contracts';
import { childTask, compiledModule, type ChildPool } from '@scriptorium/platform';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { framed, unframed, type LayoutAnswer } from './layout-messages.js';

/** A picture that was checked, under the name that `doc.json` gives it. */
export interface CheckedPicture {
  name: string;
  bytes: Buffer;
}

/** What is laid out. `doc`: makes `doc.json`, with the pictures or without them. */
export interface ToLayOut {
  doc: (withPictures: boolean) => Buffer;
  fonts: readonly string[];
  pictures: readonly CheckedPicture[];
}

export interface LaidOut {
  pdf: Buffer;
  sheets: number;
  isAccessible: boolean;
}

export interface LayoutLimits {
  /** What the process may allocate, MiB. */
  memoryMb: number;
  withinMs: number;
  /** Until when the caller waits for its turn, epoch ms. */
  deadline: number;
}

/** Sheets that a MiB of memory is enough for, with what the process needs besides. */
const sheetsPerMb = 500 / 1_024;
const largestPdf = 512 * 1024 * 1024;
const template = new URL('./template/page.typ', import.meta.url);
const noFonts = fileURLToPath(new URL('./template/fonts.conf', import.meta.url));
const childModule = compiledModule('./layout.child.js', import.meta.url);
let page: string | undefined;

/** The most sheets of a PDF with this memory. */
export function sheetsWithin(memoryMb: number): number {
  return Math.max(50, Math.floor(memoryMb * sheetsPerMb));
}

/**
 * Lays out a PDF in a process of its own; without pictures when it fails with them.
 * @param log gets what the layout says when it fails
 * @throws AppError `limit_reached` for more sheets than memory is given for, `unavailable`
 */
export async function layOut(
  pool: ChildPool,
  { doc, fonts, pictures }: ToLayOut,
  limits: LayoutLimits,
  log: (says: string) => void,
): Promise<LaidOut> {
  const first = await attempt(pool, { doc: doc(true), fonts, pictures }, limits);
  if (typeof first === 'object') return first;
  log(first);
  if (first === 'deadline' || pictures.length === 0) throw failed(first, limits);
  const second = await attempt(pool, { doc: doc(false), fonts, pictures: [] }, limits);
  if (typeof second === 'object') return second;
  log(second);
  throw failed(second, limits);
}

function failed(says: string, { withinMs }: LayoutLimits): AppError {
  if (says === 'deadline')
    return new AppError('limit_reached', [], {
      message: `The layout takes more than ${withinMs / 1_000} seconds, choose a page`,
    });
  return new AppError('unavailable', [], { message: 'The PDF could not be laid out', retryAfter: 30 });
}

/** One attempt; how it failed as a text. @throws AppError `limit_reached`, `unavailable` */
async function attempt(
  pool: ChildPool,
  { doc, fonts, pictures }: { doc: Buffer; fonts: readonly string[]; pictures: readonly CheckedPicture[] },
  { memoryMb, withinMs, deadline }: LayoutLimits,
): Promise<LaidOut | string> {
  page ??= await readFile(template, 'utf8');
  const sheets = sheetsWithin(memoryMb);
  const named = pictures.map(({ name, bytes }) => ({ name, size: bytes.length }));
  const order = framed({ page, fonts, doc: doc.length, pictures: named, sheets });
  const task = layoutTask(memoryMb);
  const result = await pool.run(task, [order, doc, ...pictures.map(({ bytes }) => bytes)], { withinMs, deadline });
  if (result.outcome === 'stopped') throw new AppError('unavailable', [], { retryAfter: 1 });
  if (result.outcome !== 'done') return result.outcome === 'failed' ? result.says : result.outcome;
  const { head, rest } = unframed(result.output);
  const answer = head as LayoutAnswer;
  switch (answer.outcome) {
    case 'done':
      return { pdf: rest, sheets: answer.sheets, isAccessible: answer.isAccessible };
    case 'too_long':
      throw new AppError('limit_reached', [], {
        message: `The PDF has ${answer.sheets} sheets, and at most ${sheets} are laid out: choose a page`,
      });
    case 'missing':
      throw new AppError('unavailable', [], { message: 'PDF is not available on this machine', retryAfter: 3_600 });
    case 'failed':
      return answer.says;
  }
}

/** Whether the layout runs on this machine: its library is native. `module`: what the process runs. */
export async function probeLayout(pool: ChildPool, module = childModule): Promise<boolean> {
  const order = framed({ page: '', fonts: [], doc: 0, pictures: [], sheets: 1, isProbe: true });
  const limits = { withinMs: 20_000, deadline: Date.now() + 20_000 };
  const result = await pool.run({ ...layoutTask(512), module }, [order], limits);
  if (result.outcome !== 'done') return result.outcome !== 'failed';
  return (unframed(result.output).head as LayoutAnswer).outcome !== 'missing';
}

function layoutTask(memoryMb: number) {
  return childTask({
    name: 'pdf_layout',
    module: childModule,
    heapMb: 128,
    memoryMb,
    outputAtMost: largestPdf,
    // The fonts of the machine are not used. Nothing is fetched: were a mistake to try, it would stay here.
    env: { FONTCONFIG_FILE: noFonts, HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' },
  });
}
