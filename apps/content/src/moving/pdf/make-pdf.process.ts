import { compiledModule, workerTask, type ChildPool, type Scope } from '@scriptorium/platform';
import { AppError } from '@scriptorium/contracts';
import { requireRevision } from '../../reading/index.js';
import { findPages } from '../../versions/index.js';
import { preparePage } from './document/prepare-page.task.js';
import type { PreparedPage, SheetNode } from './document/sheet-nodes.js';
import { scriptsOf } from './document/scripts-of.js';
import { cleanText } from './document/texts.js';
import { wholeDocument, type WholeDocument } from './document/whole-document.js';
import { fontsFor, type FontFiles } from './layout/font-files.process.js';
import { layOut, type LayoutLimits } from './layout/lay-out.process.js';
import type { PdfSources } from './open-wish.process.js';
import { readPictures } from './pictures/pictures.process.js';
import { pageToPrepare, type PdfPlan, type PlannedPage } from './plan-pages.process.js';
import type { Wish } from './wish.js';

const prepareTask = workerTask<typeof preparePage>({
  name: 'prepare_pdf_page',
  module: compiledModule('./document/prepare-page.task.js', import.meta.url),
  run: 'preparePage',
  withinMs: 20_000,
  tooCostly: () => new AppError('limit_reached', [], { message: 'A page takes too long to be laid out' }),
});
const waitMs = 60_000;
/** Documents up to this many characters are prepared at once: a worker would take longer. */
const longestInline = 8_192;

/** Prepares pages for a PDF. */
export async function preparePages(
  scope: Scope,
  wish: Wish,
  plan: PdfPlan,
  pages: readonly PlannedPage[],
): Promise<PreparedPage[]> {
  const prepared: PreparedPage[] = [];
  for (const page of pages) {
    const input = await pageToPrepare(scope, wish, plan, page);
    const isShort = (input.text?.length ?? 0) + (input.before?.length ?? 0) <= longestInline;
    prepared.push(
      isShort ? preparePage(input) : await scope.workers.run(prepareTask, input, { deadline: Date.now() + waitMs }),
    );
  }
  return prepared;
}

/** What PDFs are laid out with. */
export interface Layouts {
  pool: ChildPool;
  fonts: FontFiles;
}

/** A PDF, and what is said of it. */
export interface FinishedPdf {
  pdf: Buffer;
  sheets: number;
  isAccessible: boolean;
  missingScripts: string[];
  /** Ids of users that it may name. */
  people: string[];
}

/** Lays out prepared pages. @throws AppError `limit_reached`, `unavailable` */
export async function finishPdf(
  scope: Scope,
  { sources, layouts, limits }: { sources: PdfSources; layouts: Layouts; limits: LayoutLimits },
  { wish, plan }: { wish: Wish; plan: PdfPlan },
  pages: readonly PreparedPage[],
): Promise<FinishedPdf> {
  const whole = await wholeOf(scope, wish, plan);
  const scripts = [...new Set([...pages.flatMap((page) => page.scripts), ...whole.scripts])];
  const { files, missing } = fontsFor(layouts.fonts, scripts, wish.language);
  const trees = [plan.view.tree, ...(plan.former === undefined ? [] : [plan.former.tree])];
  const wanted = [...new Set(pages.flatMap((page) => page.pictures))];
  const { pictures, names } = await readPictures(sources.objects, trees, wanted);
  const doc = (withPictures: boolean) => wholeDocument(whole.document, pages, withPictures ? names : {});
  const made = await layOut(layouts.pool, { doc, fonts: files, pictures }, limits, (says) =>
    scope.logger.warn({ says: says.slice(0, 500), space: wish.space }, 'a PDF could not be laid out as it is'),
  );
  const people = new Set(pages.flatMap((page) => page.people ?? []));
  return { ...made, missingScripts: missing, people: [...people] };
}

/** What the PDF has besides its pages. */
async function wholeOf(
  scope: Scope,
  wish: Wish,
  { changes, view, former }: PdfPlan,
): Promise<{ document: WholeDocument; scripts: string[] }> {
  const { title, spaceTitle, language, paper, only, request } = wish;
  const { createdAt } = await requireRevision(scope, wish.space, wish.revision);
  const lines = [
    ...(spaceTitle === title ? [] : [spaceTitle]),
    ...(request?.named === undefined ? [] : namesOf(request.named)),
    createdAt.slice(0, 10),
  ];
  const listed = changes === undefined ? [] : await listedChanges(wish, { changes, view, former });
  const cover = only ? null : { lines, changed: 'Changed pages', changes: listed };
  const document = { title, language, paper, running: spaceTitle, cover };
  return { document, scripts: scriptsOf(JSON.stringify([title, lines, listed, spaceTitle])) };
}

function namesOf({ number, subject, status }: { number: number; subject: string; status: string }): string[] {
  return [`#${number} ${subject}`.trim(), status];
}

/** A change request's list of changed pages is as long as this, at most. */
const mostListed = 500;

async function listedChanges(
  { page: root }: Wish,
  { changes, view }: Pick<PdfPlan, 'view' | 'former'> & { changes: NonNullable<PdfPlan['changes']> },
): Promise<SheetNode[]> {
  if (root !== undefined) return [];
  const present = await findPages(view.tree, [...changes.added, ...changes.changed.keys()].slice(0, mostListed));
  const entry = (kind: string, id: string, title: string): SheetNode[] => [
    `${kind}: `,
    { t: 'a', p: id, c: [cleanText(title)] },
  ];
  return [
    ...[...changes.added].flatMap((id) => named(present, id, (title) => entry('Added', id, title))),
    ...[...changes.changed.keys()].flatMap((id) => named(present, id, (title) => entry('Changed', id, title))),
    ...[...changes.removed].map(([id, { title }]) => entry('Removed', id, title)),
  ].slice(0, mostListed);
}

function named<T>(pages: ReadonlyMap<string, { title: string }>, id: string, make: (title: string) => T): T[] {
  const page = pages.get(id);
  return page === undefined ? [] : [make(page.title)];
}
