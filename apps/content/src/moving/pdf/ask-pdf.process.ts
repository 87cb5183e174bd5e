import { AppError, blaming, type Pdf } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { findPage } from '../../versions/index.js';
import { spaces } from '../../library/index.js';
import type { ContentView } from '../../reading/index.js';
import { pdfUrl, fileNameOf } from './pdf-address.process.js';
import type { PdfLayouts } from './pdf-layouts.process.js';
import { findPdf, notePdf, type MadePdf } from './pdfs.operational.js';
import { keyOf } from './pdf-key.process.js';
import type { Wish } from './wish.js';

/** What is asked for, besides the content. */
export interface AskedPdf {
  page?: string | undefined;
  only: boolean;
  paper: 'a4' | 'letter';
  changes?: boolean;
  request?: Wish['request'];
  published?: string | undefined;
}

/**
 * The address of a PDF of a content, as its view shows it. It is made when it is fetched, or now when the answer is to
 * wait for it `until` a moment (ms).
 * @throws AppError `invalid_request`, `not_found`, and what `PdfLayouts.wait` throws
 */
export async function askPdf(
  scope: Scope,
  layouts: PdfLayouts,
  view: ContentView,
  { until, ...asked }: AskedPdf & { until?: number | undefined },
): Promise<Pdf> {
  const wish = await wishOf(scope, view, asked);
  await layouts.requireAvailable();
  const { version } = await layouts.fonts();
  const key = keyOf(wish, { fonts: version, also: view.also });
  await notePdf(scope, key, wish, scope.now());
  await layouts.scheduleRemoval(scope.store.context.correlation);
  const url = pdfUrl(scope, layouts.origin, { key, name: fileNameOf(wish.title) });
  const made = until === undefined ? (await findPdf(scope, key))?.made : await layouts.wait(scope.store, key, until);
  return { url, ...(made === undefined ? {} : told(made)) };
}

function told({ sheets, size, isAccessible, missingScripts }: MadePdf): Omit<Pdf, 'url'> {
  return {
    pages: sheets,
    bytes: size,
    accessible: isAccessible,
    ...(missingScripts.length === 0 ? {} : { missingScripts: [...missingScripts] }),
  };
}

async function wishOf(scope: Scope, view: ContentView, asked: AskedPdf): Promise<Wish> {
  const { organization, space, revision, root, reader } = view;
  const { page, only, paper, request, published, changes = false } = asked;
  if (only && page === undefined) throw blaming('invalid_request', 'query.page', 'Is required with `only`');
  const chosen = page === undefined ? undefined : await requireShown(view, page, only);
  const document = await scope.store.read(spaces).byId(space);
  if (document === null) throw new AppError('not_found');
  const spaceTitle = document.title;
  return {
    organization,
    space,
    revision,
    root,
    only,
    paper,
    changes,
    spaceTitle,
    title: chosen?.title ?? spaceTitle,
    language: document.language ?? 'en',
    ...(page === undefined ? {} : { page }),
    ...(reader === undefined ? {} : { reader: whoReads(reader) }),
    ...(published === undefined ? {} : { published }),
    ...(request === undefined ? {} : { request }),
  };
}

/** Of a visitor only what decides what they see: so much alone is kept. */
function whoReads({ type, claims, spaces: opened, preview }: NonNullable<ContentView['reader']>): Wish['reader'] {
  return { type, claims, spaces: [...opened], ...(preview === undefined ? {} : { preview }) };
}

/** @throws AppError `not_found`, `invalid_request` for what has no document, or leads elsewhere */
async function requireShown({ tree }: ContentView, id: string, only: boolean): Promise<{ title: string }> {
  const page = await findPage(tree, id);
  if (page === undefined) throw blaming('not_found', 'query.page', 'There is no such page');
  if (page.type === 'link' || (only && page.document === undefined))
    throw blaming('invalid_request', 'query.page', 'Has no document');
  return page;
}
