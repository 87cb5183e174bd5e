import { AppError } from '@scriptorium/contracts';
import {
  parseMarkdown,
  resolveLinkByDefault,
  RichTextError,
  validate,
  type FrontMatter,
  type RichDocument,
} from '@scriptorium/rich-text';

type ContentRef = NonNullable<ReturnType<typeof resolveLinkByDefault>>;

export interface PageText {
  markdown: string;
  /** The document that the text replaces: blocks that stay keep their keys. */
  previous: RichDocument | undefined;
  /** What addresses within the space stand for; `null` for those that lead nowhere. */
  targets: Readonly<Record<string, ContentRef | null>>;
}

export interface ParsedPage {
  document: RichDocument;
  title: string | undefined;
  frontMatter: FrontMatter | undefined;
  /** Addresses within the space that `targets` does not name. */
  unknown: string[];
}

/** Reads the markdown of a page. @throws AppError `content_change_invalid` */
export type ParsePage = (text: PageText) => Promise<ParsedPage>;

/** Reads the markdown of a page. Pure, so that it can run in a worker. @throws AppError `content_change_invalid` */
export function parsePage(text: PageText): ParsedPage {
  return readable(() => parse(text));
}

/** A document of a request, made to fit the format. @throws AppError `content_change_invalid` */
export function checkDocument(given: unknown): RichDocument {
  return readable(() => validate(given));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    throw new AppError('content_change_invalid', [], { message: error.message });
  }
}

function parse({ markdown, previous, targets }: PageText): ParsedPage {
  const unknown = new Set<string>();
  const { document, title, frontMatter } = parseMarkdown(markdown, {
    context: 'page',
    ...(previous === undefined ? {} : { previous }),
    resolveLink(url, use) {
      if (Object.hasOwn(targets, url)) return targets[url] ?? null;
      if (!isLookedUp(url)) return resolveLinkByDefault(url, use);
      unknown.add(url);
      return null;
    },
  });
  return { document, title, frontMatter, unknown: [...unknown] };
}

/** What addresses of references that the changes were given begin with. */
export const contentRefPrefix = '/content-refs/';

/** What addresses of files of the same space begin with. */
export const filePrefix = '/files/';

/** Whether only a look at the content tells what an address leads to. */
function isLookedUp(url: string): boolean {
  return leadsToPage(url) || url.startsWith(contentRefPrefix) || url.startsWith(filePrefix);
}

/** Whether an address may be that of a page in the same space: a relative one, or one that begins with `/pages/`. */
export function leadsToPage(url: string): boolean {
  if (/^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(url)) return false;
  return !url.startsWith('/') || url.startsWith('/pages/');
}
