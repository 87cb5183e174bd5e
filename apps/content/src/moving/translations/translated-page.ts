import { contentBounds } from '@scriptorium/contracts';
import {
  contextOf,
  segmentsOf,
  withPinnedAnchors,
  withSegments,
  type RichDocument,
  type Segment,
} from '@scriptorium/rich-text';

/** What of a page is read, besides its place and settings. */
export interface PageTexts {
  title: string;
  description?: string;
  /** Absent for groups, links and computed pages. */
  document?: RichDocument;
}

const fields = ['title', 'description'] as const;
/** Ids of the segments of fields, which no segment of a document has: those begin with a key. */
const idOf = (field: (typeof fields)[number]): string => `/${field}`;

/** The most characters of a text, by the block of its segment; `undefined` for those of documents. */
export function mostOf(block: string): number | undefined {
  const field = fields.find((one) => idOf(one) === block);
  return field === undefined ? undefined : contentBounds[field];
}

/** Whether a text fits in the place of a segment, as far as its words say it. */
export function fitsIn(block: string, text: string): boolean {
  const words = text.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '&');
  return words.length <= (mostOf(block) ?? Infinity);
}

/** A field as a document of one line, so that its text is written and checked as all others are. */
function lineOf(field: (typeof fields)[number], text: string): RichDocument {
  const line = { object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] };
  const block = {
    object: 'block' as const,
    type: 'paragraph',
    isVoid: false,
    key: idOf(field),
    data: {},
    nodes: [line],
  };
  return { object: 'document', data: {}, nodes: [block] };
}

/** The texts of a page to translate, its title first. */
export function pageSegments({ document, ...texts }: PageTexts): Segment[] {
  const ofFields = fields.flatMap((field) => segmentsOf(lineOf(field, texts[field] ?? '')));
  const title = contextOf(ofFields.find(({ block }) => block === idOf('title'))?.text ?? '');
  const inDocument = document === undefined ? [] : segmentsOf(document);
  return [...ofFields, ...inDocument.map((segment) => ({ ...segment, headings: [title, ...segment.headings] }))];
}

/**
 * The page with other texts in the place of its segments. Its headings keep their anchors, and its references lead
 * into other spaces as `spaces` says. A segment without a text stays as it is, and so does a title or description that
 * would be too long.
 */
export function translatedPage(
  page: PageTexts,
  texts: ReadonlyMap<string, string>,
  spaces: ReadonlyMap<string, string>,
): PageTexts {
  const title = translatedField('title', page.title, texts);
  return {
    title,
    ...(page.description !== undefined && { description: translatedField('description', page.description, texts) }),
    ...(page.document && { document: leadingInto(withSegments(withPinnedAnchors(page.document), texts), spaces) }),
  };
}

function translatedField(field: (typeof fields)[number], text: string, texts: ReadonlyMap<string, string>): string {
  const [block] = withSegments(lineOf(field, text), texts).nodes;
  const translated = (block?.nodes ?? [])
    .flatMap((node) => (node.object === 'text' ? node.leaves.map((leaf) => leaf.text) : []))
    .join('');
  return translated.length > contentBounds[field] ? text : translated;
}

/** JSON whose references into a space lead into another one. `spaces`: the other one, by the one that is named. */
export function leadingInto<T extends object>(value: T, spaces: ReadonlyMap<string, string>): T {
  const led = (_name: string, inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null || !('kind' in inner) || !('space' in inner)) return inner;
    const space = typeof inner.space === 'string' ? spaces.get(inner.space) : undefined;
    return space === undefined ? inner : { ...inner, space };
  };
  return JSON.parse(JSON.stringify(value), led) as T;
}
