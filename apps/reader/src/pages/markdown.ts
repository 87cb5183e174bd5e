import { sentencesOfBlocks } from '@scriptorium/openapi/shown';
import {
  toMarkdown,
  withApiBlocksWritten,
  withIntegrationsWritten,
  type ContentRef,
  type FrontMatter,
  type RichDocument,
} from '@scriptorium/rich-text';
import type { DocumentPage } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { targetOf, type Referred } from './links.js';

/** Where markdown is read. */
export interface Read {
  view: SiteView;
  referred: Referred;
  /** Where the site is shown. */
  origin: string;
}

const empty: RichDocument = { object: 'document', data: {}, nodes: [] };

/** What blocks show, for visitors, who get no tags. */
const written = (blocks: Parameters<typeof sentencesOfBlocks>[0]): (string | null)[] =>
  sentencesOfBlocks(blocks, { isComplete: true });

/** A page as markdown for programs: links to pages lead to their markdown, those to files to their bytes. Pure. */
export function pageMarkdown(read: Read, page: DocumentPage): string {
  const frontMatter = coverOf(read, page);
  const document = (page.document as RichDocument | undefined) ?? empty;
  return toMarkdown(withApiBlocksWritten(withIntegrationsWritten(document), written), {
    context: 'page',
    title: page.title,
    formatLink: (ref) => addressOf(read, ref),
    ...(frontMatter === undefined ? {} : { frontMatter }),
  });
}

/** The cover of the page, also where its layout does not show it, in the keys in which an import reads it. */
function coverOf(read: Read, { cover }: DocumentPage): FrontMatter | undefined {
  if (cover === undefined) return undefined;
  const { ref, refDark, yPos, height } = cover;
  const address = addressOf(read, ref);
  const dark = refDark === undefined ? null : addressOf(read, refDark);
  if (address === null) return undefined;
  return { cover: address, ...(dark === null ? {} : { coverDark: dark }), coverY: yPos, coverHeight: height };
}

function addressOf({ view, referred, origin }: Read, ref: ContentRef): string | null {
  const target = targetOf(view, referred, ref);
  if (target === undefined || target.href.startsWith('#')) return target?.href ?? null;
  const url = new URL(target.href, origin);
  const isPage = typeof ref['page'] === 'string' && ref.kind !== 'url';
  if (isPage && !url.pathname.endsWith('/')) url.pathname += '.md';
  return url.href;
}
