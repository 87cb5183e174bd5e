import { createChildPool } from '@scriptorium/platform';
import { parseMarkdown, type RichDocument } from '@scriptorium/rich-text';
import { preparePage, type PageToPrepare } from '../document/prepare-page.task.js';
import { wholeDocument, type WholeDocument } from '../document/whole-document.js';
import { fontsFor, readFonts } from '../layout/font-files.process.js';
import { layOut, type CheckedPicture, type LaidOut } from '../layout/lay-out.process.js';

/** A page of a PDF that a spec lays out. */
export type SpecPage = Partial<PageToPrepare> & { id: string; document?: RichDocument; markdown?: string };

const plain: WholeDocument = { title: 'Handbook', language: 'en', paper: 'a4', running: 'Handbook', cover: null };

/** Lays out pages as the service does; adds what failed to `says`. */
export async function layOutPages(
  pages: readonly SpecPage[],
  {
    says = [],
    pictures = [],
    names = {},
    fontsDir,
    ...whole
  }: Partial<WholeDocument> & {
    says?: string[];
    pictures?: readonly CheckedPicture[];
    names?: Readonly<Record<string, string>>;
    /** A folder with further fonts. */
    fontsDir?: string | undefined;
  } = {},
): Promise<LaidOut & { missing: string[] }> {
  const prepared = pages.map(({ document, markdown, ...page }) =>
    preparePage({
      space: 'space',
      title: page.id,
      language: whole.language ?? plain.language,
      level: 1,
      sheet: true,
      isOutlined: pages.length === 1,
      files: {},
      ...(markdown === undefined
        ? {}
        : { text: JSON.stringify(parseMarkdown(markdown, { context: 'page' }).document) }),
      ...(document === undefined ? {} : { text: JSON.stringify(document) }),
      ...page,
    }),
  );
  const settings = { ...plain, ...whole };
  const scripts = [...new Set(prepared.flatMap((page) => page.scripts))];
  const { files, missing } = fontsFor(await readFonts(fontsDir), scripts, settings.language);
  const pool = createChildPool();
  try {
    const limits = { memoryMb: 1_024, withinMs: 60_000, deadline: Date.now() + 60_000 };
    const doc = (withPictures: boolean) => wholeDocument(settings, prepared, withPictures ? names : {});
    const made = await layOut(pool, { doc, fonts: files, pictures }, limits, (text) => void says.push(text));
    return { ...made, missing };
  } finally {
    await pool.stop();
  }
}
