import { links, toMarkdown, type FrontMatter, type RichDocument } from '@scriptorium/rich-text';
import type { PageAttributes, PageRecord } from '../../versions/index.js';
import { folderOf } from '../archive-format/index.js';
import type { Layout } from './layout.js';
import { addressIn } from './navigation.js';

type Ref = Parameters<typeof addressIn>[2];

/** A document as it is written to a file: data alone, so that a worker can do it. */
export interface FileToWrite {
  /** The document as it is stored. */
  text: string;
  /** Addresses of what it refers to, by the reference as JSON. */
  addresses: Readonly<Record<string, string>>;
  title?: string | undefined;
  frontMatter?: FrontMatter | undefined;
}

/** Writes a document as markdown. Reusable contents have no title of their own. */
export function writeFile({ text, addresses, title, frontMatter }: FileToWrite): string {
  return toMarkdown(JSON.parse(text) as RichDocument, {
    context: 'page',
    formatLink: (ref) => addresses[JSON.stringify(ref)] ?? null,
    ...(title === undefined ? {} : { title }),
    ...(frontMatter === undefined ? {} : { frontMatter }),
  });
}

/** A page, or a reusable content, as it is written to the file at a path. */
export function fileToWrite(
  layout: Layout,
  path: string,
  { text, page, attributes }: { text: string; page?: PageRecord | undefined; attributes?: PageAttributes | undefined },
): FileToWrite {
  const folder = folderOf(path);
  const addresses: Record<string, string> = {};
  for (const { ref } of links(JSON.parse(text) as RichDocument)) {
    const address = addressIn(layout, folder, ref);
    if (address !== null) addresses[JSON.stringify(ref)] = address;
  }
  if (page === undefined) return { text, addresses };
  const own = frontMatterOf(page, attributes ?? {}, (ref) => addressIn(layout, folder, ref) ?? undefined);
  return { text, addresses, title: page.title, frontMatter: own };
}

function frontMatterOf(
  { description, icon, emoji, hidden, noIndex, noRobotsIndex, condition }: PageRecord,
  { cover, layout, metaLinks, variables }: PageAttributes,
  addressOf: (ref: Ref) => string | undefined,
): FrontMatter | undefined {
  const given = {
    description,
    icon,
    emoji,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    variables,
    cover: cover && addressOf(cover.ref),
    coverDark: cover?.refDark && addressOf(cover.refDark),
    coverY: cover?.yPos,
    coverHeight: cover?.height,
    metaLinks: metaLinks && {
      canonical: metaLinks.canonical && addressOf(metaLinks.canonical),
      alternates: metaLinks.alternates?.flatMap((ref) => addressOf(ref) ?? []),
    },
    layout: layout && layoutOf(layout),
  };
  const kept = defined(given) as FrontMatter;
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function layoutOf(layout: NonNullable<PageAttributes['layout']>): NonNullable<FrontMatter['layout']> {
  const { width, cover, coverSize, ...others } = layout;
  const shownCover = defined({ visible: cover, size: coverSize });
  return {
    ...defined({ width }),
    ...(Object.keys(shownCover).length === 0 ? {} : { cover: shownCover }),
    ...Object.fromEntries(Object.entries(others).map(([name, visible]) => [name, { visible }])),
  };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(given: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'object' && value !== null && !Array.isArray(value) ? defined(value) : value,
      ]),
  ) as Defined<T>;
}
