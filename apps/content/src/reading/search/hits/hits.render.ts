import type { FoundPage, FoundSection, FoundSpace } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { setImmediate } from 'node:timers/promises';
import { apiBlocksIn, specNamed } from '../../analysis/index.js';
import { pageUrl } from '../../content/index.js';
import type { ContentObjects } from '../../../versions/index.js';
import { describing, specsNamed } from '../space-indexes/spec-words.queries.js';
import { sectionsWith, type SectionHit } from './found-sections.js';
import type { Hit } from './hits.js';
import type { Scored } from '../matching/score.js';

/** A document of a page as somebody sees it. */
export type See = (page: string, document: RichDocument) => RichDocument;

/** A space in which pages were found: it counts as much as its best page. */
export interface FoundIn extends Scored {
  /** The best pages. */
  hits: Hit[];
  count: number;
}

/** Pages that are shown of a space. */
export const mostShown = 10;

/** Pages whose documents are read at once. Other requests get their turn between two batches. */
const atOnce = 20;

/** A space in which pages were found, with the best of them. */
export async function showSpace(
  scope: Pick<Scope, 'store' | 'urls' | 'workers'>,
  objects: ContentObjects,
  { id, title, hits, count, see }: FoundIn & { title: string; see?: See },
): Promise<FoundSpace> {
  const pages = await showHits(scope, objects, hits, see);
  const more = count - pages.length;
  return { id, title, pages, ...(more > 0 ? { more } : {}) };
}

/**
 * Pages that were found, with the sections in which words were found. `see`: a document of a page as the caller sees
 * it.
 */
export async function showHits(
  scope: Pick<Scope, 'store' | 'urls' | 'workers'>,
  objects: ContentObjects,
  hits: readonly Hit[],
  see: See = (_page, document) => document,
): Promise<FoundPage[]> {
  const shown: FoundPage[] = [];
  for (let start = 0; start < hits.length; start += atOnce) {
    const batch = hits.slice(start, start + atOnce);
    const [first] = batch;
    if (first === undefined) break;
    const documents = await objects.read(
      first.pool,
      batch.flatMap((hit) => hit.documents),
    );
    const names = [...documents.values()].flatMap((one) => specsIn(one as RichDocument));
    const describe = await describing(scope, objects, await specsNamed(scope, objects, first, names));
    const seenAs: See = (page, document) => describe(see(page, document));
    for (const hit of batch) shown.push(shownHit(scope.urls, hit, (name) => documents.get(name), seenAs));
    await setImmediate();
  }
  return shown;
}

/** The specifications of which blocks of a document show parts. */
function specsIn(document: RichDocument): string[] {
  return apiBlocksIn(document).flatMap(({ use }) => specNamed(use.ref) ?? []);
}

function shownHit(
  urls: Scope['urls'],
  hit: Hit,
  documentOf: (name: string) => object | undefined,
  see: See,
): FoundPage {
  const { id, title, path, ancestors, isFound } = hit;
  const documents = hit.documents.flatMap((name) => documentOf(name) ?? []) as RichDocument[];
  const texts = documents.map((document) => see(id, document));
  const page = pageUrl(urls, hit, id);
  const sections = sectionsWith(texts, isFound).map((section) => shownSection(hit, page, section));
  return { id, title, path, sections, ancestors, urls: { app: page } };
}

function shownSection({ id, title, path }: Hit, app: string, { heading, body }: SectionHit): FoundSection {
  if (heading === null) return { id, title, path, body, urls: { app } };
  return {
    id: heading.id,
    title: heading.title,
    path: `${path}#${heading.id}`,
    body,
    urls: { app: `${app}#${encodeURIComponent(heading.id)}` },
  };
}
