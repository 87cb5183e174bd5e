import { AppError } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import type { FileStore } from '../../versions/index.js';
import type { PreparedPage } from './document/sheet-nodes.js';
import { finishPdf, preparePages, type Layouts } from './make-pdf.process.js';
import { openWish, type PdfSources } from './open-wish.process.js';
import { dropParts, keepPdf, poolOfPdfs, writePart } from './pdf-store.process.js';
import { findPdf, noteFailure } from './pdfs.operational.js';
import { planPages, type PdfPlan } from './plan-pages.process.js';
import { Wish } from './wish.js';

const State = z.object({
  /** Pages that are prepared. */
  at: z.int(),
  /** The bytes that have them, a hundred or fewer each. */
  parts: z.array(z.string()).max(500),
});

/** Lays out a large PDF. Its pages are prepared step by step, and laid out in one: numbers and links are of all. */
export const pdfLayout = defineRun({
  kind: 'pdf_layout',
  input: z.object({ key: z.string(), space: z.string() }),
  state: State,
  begin: () => ({ at: 0, parts: [] }),
  openAtMost: 5,
  keepMs: 24 * 3_600_000,
  stepWithinMs: 300_000,
});

const mostAttempts = 10;

/** Requests the run of a PDF; the one that is under way, if there is one. @throws AppError `unavailable` */
export async function requestLayout(store: StoreScope, input: { key: string; space: string }): Promise<void> {
  try {
    // A run that has failed is not begun again: another one is.
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const id = `pdf-${input.key}${attempt === 0 ? '' : `-${attempt}`}`;
      const { status } = await store.step(id).requestRun(pdfLayout, { id, input });
      if (status === 'pending' || status === 'running') return;
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'limit_reached') throw error;
    throw new AppError('unavailable', [], { message: 'Too many PDFs are under way, try again', retryAfter: 30 });
  }
  throw new AppError('unavailable', [], { message: 'The PDF could not be laid out', retryAfter: 600 });
}

const pagesInStep = 100;
/** How long a step prepares pages, ms. */
const stepMs = 8_000;
const layoutMs = 120_000;

interface Parts {
  context: ServiceContext;
  sources: PdfSources;
  files: FileStore;
  layouts: { layouts(): Promise<Layouts>; readonly memoryMb: number };
}

export function pdfLayoutHandler(parts: Parts): RunHandler {
  const { context, sources, files } = parts;
  return runHandler(pdfLayout, {
    async step({ at, parts: prepared }, store, { input: { key, space } }) {
      const scope = context.scope(store);
      const asked = await findPdf(scope, key);
      if (asked === undefined || asked.made !== undefined) {
        await dropParts(files, space, prepared);
        return { done: null };
      }
      const wish = Wish.parse(JSON.parse(asked.wish));
      const plan = await planPages(scope, sources, wish, await openWish(scope, sources, wish));
      const total = plan.pages.length;
      if (at < total) {
        const pages = await someOf(scope, wish, plan, at);
        const { hash } = await writePart(scope, files, space, Buffer.from(JSON.stringify(pages)));
        const done = at + pages.length;
        return { next: { at: done, parts: [...prepared, hash] }, progress: { done, total } };
      }
      await layOutAll(parts, scope, { key, wish, plan }, await readParts(files, space, prepared));
      await dropParts(files, space, prepared);
      return { done: null, progress: { done: total, total } };
    },
    async cleanUp({ parts: prepared }, _store, { input: { space } }) {
      await dropParts(files, space, prepared);
      return { done: null };
    },
  });
}

/** The next pages, as many as a step has time for. */
async function someOf(scope: Scope, wish: Wish, plan: PdfPlan, at: number): Promise<PreparedPage[]> {
  const until = scope.now() + stepMs;
  const pages: PreparedPage[] = [];
  for (const page of plan.pages.slice(at, at + pagesInStep)) {
    if (pages.length > 0 && scope.now() > until) break;
    pages.push(...(await preparePages(scope, wish, plan, [page])));
  }
  return pages;
}

/** Lays out all pages. That there are too many is said of the PDF: another attempt would come to the same. */
async function layOutAll(
  { sources, files, layouts }: Parts,
  scope: Scope,
  { key, wish, plan }: { key: string; wish: Wish; plan: PdfPlan },
  pages: readonly PreparedPage[],
): Promise<void> {
  const limits = { memoryMb: layouts.memoryMb, withinMs: layoutMs, deadline: Date.now() + layoutMs };
  try {
    const pdf = await finishPdf(scope, { sources, layouts: await layouts.layouts(), limits }, { wish, plan }, pages);
    await keepPdf(scope, files, { key, space: wish.space }, pdf);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'limit_reached') throw error;
    await noteFailure(scope, key, { reason: 'limit_reached', message: error.message, at: scope.now() });
  }
}

async function readParts(files: FileStore, space: string, parts: readonly string[]): Promise<PreparedPage[]> {
  const pages: PreparedPage[] = [];
  for (const hash of parts) {
    const bytes = await files.bytes(poolOfPdfs(space), hash);
    if (bytes === undefined) throw new AppError('unavailable', [], { message: 'A part of the PDF is gone' });
    pages.push(...(JSON.parse(bytes.toString('utf8')) as PreparedPage[]));
  }
  return pages;
}
