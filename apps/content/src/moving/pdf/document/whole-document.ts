import { familiesFor, hanOf } from '../layout/font-families.js';
import type { PreparedPage, SheetNode } from './sheet-nodes.js';
import { cleanText, directionOfLanguage, mayBreak } from './texts.js';

/** What a PDF has besides its pages. */
export interface WholeDocument {
  title: string;
  /** The language of the space, as BCP 47 names it. */
  language: string;
  paper: 'a4' | 'letter';
  /** What stands at the top of each sheet. */
  running: string;
  /** Lines of the title page; `null` when there is none. */
  cover: { lines: readonly string[]; changed: string; changes: readonly SheetNode[] } | null;
}

/** `doc.json`. `pictures`: the names of files of pictures, by the ids of files of the space. */
export function wholeDocument(
  { title, language, paper, running, cover }: WholeDocument,
  pages: readonly Pick<PreparedPage, 'json' | 'labels' | 'scripts'>[],
  pictures: Readonly<Record<string, string>>,
): Buffer {
  const labels: Record<string, string> = Object.assign({}, ...pages.map((page) => page.labels)) as Record<
    string,
    string
  >;
  const [lang, region] = languageOf(language);
  const head = {
    title: cleanText(title.trim()) || 'Untitled',
    lang,
    region,
    rtl: directionOfLanguage(language) === 'rtl',
    families: familiesFor(hanOf(language, [...new Set(pages.flatMap(({ scripts }) => scripts))])),
    paper: paper === 'letter' ? 'us-letter' : 'a4',
    running: cleanText(running),
    cover: cover === null ? null : { ...cover, lines: cover.lines.map((line) => cleanText(line)) },
    contents: pages.length > 1,
    breaks: pages.some(({ json }) => json.includes(mayBreak)),
    labels,
    pictures,
  };
  // Pages are JSON already.
  const text = JSON.stringify(head);
  return Buffer.from(`${text.slice(0, -1)},"pages":[${pages.map(({ json }) => json).join(',')}]}`);
}

/** The language and the region of a name of a language, as far as the layout takes them. */
function languageOf(name: string): [language: string, region: string | null] {
  const [, language, region] = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?(?:-|$)/i.exec(name) ?? [];
  return [language?.toLowerCase() ?? 'en', region?.toUpperCase() ?? null];
}
