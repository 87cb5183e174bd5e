import { AppError, ContentTitle } from '@scriptorium/contracts';
import {
  parseMarkdown,
  resolveLinkByDefault,
  RichTextError,
  type FrontMatter,
  type RichDocument,
} from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { isLookedUp, type LinkTarget } from './looked-up.js';
import { readJSON, type JSONText } from './read-json.js';

/** A document as an object of content: its text, and the name that it has by that. */
export interface NamedDocument {
  name: string;
  text: string;
}

/** The markdown of a page. */
export interface MarkdownText {
  markdown: string;
  /**
   * The document that the text replaces, as JSON, which is copied to a worker at once: blocks that stay keep their
   * keys.
   */
  previous: string | undefined;
  /** The title that the request gives, and the one that the page has. A first heading that is none of them is text. */
  titles: { given?: string | undefined; own?: string | undefined };
  /** What addresses within the space stand for; `null` for those that lead nowhere. */
  targets: Readonly<Record<string, LinkTarget>>;
}

export type PageText = MarkdownText | JSONText;

export interface ParsedPage {
  document: NamedDocument;
  title: string | undefined;
  frontMatter: FrontMatter | undefined;
  /** Addresses within the space that `targets` does not name. */
  unknown: string[];
}

/** Reads the document of a page. @throws AppError `content_change_invalid` */
export type ParsePage = (text: PageText) => Promise<ParsedPage>;

/**
 * Reads the document of a page. Pure, so that it can run in a worker.
 * @throws AppError `content_change_invalid`, which names the place in a document that is given as JSON
 */
export function parsePage(text: PageText): ParsedPage {
  try {
    const { document, ...read } = 'json' in text ? readJSON(text) : parse(text);
    return { ...read, document: namedDocument(document) };
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    const path = error.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
    const { message } = error;
    throw new AppError('content_change_invalid', path === '' ? [] : [{ path, message }], { message });
  }
}

/** JSON levels of a document. */
const deepest = 2_000;

/** Making the text takes long for large documents: a tenth of a second for 2 MiB. */
function namedDocument(document: RichDocument): NamedDocument {
  const text = canonical(document, deepest);
  return { name: nameOfText(text), text };
}

function parse({ markdown, previous, titles, targets }: MarkdownText) {
  const unknown = new Set<string>();
  const { document, title, frontMatter, frontMatterProblem } = parseMarkdown(markdown, {
    context: 'page',
    ...(previous === undefined ? {} : { previous: JSON.parse(previous) as RichDocument }),
    isTitle(heading, front) {
      // What is too long for a title stays as a heading of the text.
      if (!ContentTitle.safeParse(heading).success) return false;
      const wanted = titleIn(front) ?? titles.given;
      return wanted === undefined || heading === wanted || heading === titles.own;
    },
    resolveLink(url, use) {
      if (Object.hasOwn(targets, url)) return targets[url] ?? null;
      if (!isLookedUp(url)) return resolveLinkByDefault(url, use);
      unknown.add(url);
      return null;
    },
  });
  if (frontMatterProblem !== undefined) throw unreadable(`The front matter is no valid YAML: ${frontMatterProblem}`);
  return { document, title, frontMatter, unknown: [...unknown] };
}

function unreadable(message: string): AppError {
  return new AppError('content_change_invalid', [{ path: '.markdown', message }], { message });
}

/** The title that the front matter of markdown names: it comes before all others, as its other fields do. */
export function titleIn(frontMatter: FrontMatter | undefined): string | undefined {
  const title = frontMatter?.other?.['title'];
  const parsed = ContentTitle.safeParse(typeof title === 'number' ? String(title) : title);
  return parsed.success ? parsed.data : undefined;
}
