import { inTurns, numbersTo, type Seed } from '../product/seed.js';

const changesAtOnce = 50;

/** A space that can be written directly, with pages of so many bytes of markdown each. */
export interface FilledSpace {
  id: string;
  pages: readonly string[];
}

/** Creates spaces with one page each. */
export function createSpaces(seed: Seed, count: number, pageBytes: number): Promise<FilledSpace[]> {
  return inTurns(numbersTo(count), (index) => createSpace(seed, `Bench ${index}`, 1, pageBytes));
}

/** Creates a space with so many pages. `text`: the bytes of each page, or the text of the page with a number. */
export async function createSpace(
  { client, organization }: Seed,
  title: string,
  pageCount: number,
  text: number | ((page: number) => string),
): Promise<FilledSpace> {
  const { id } = await client.createSpace({
    params: { organizationId: organization },
    body: { title, editMode: 'live', empty: true },
  });
  const markdownOf = typeof text === 'number' ? (page: number) => textOf(text, `of page ${page}`) : text;
  const pages: string[] = [];
  while (pages.length < pageCount) {
    const numbers = numbersTo(Math.min(changesAtOnce, pageCount - pages.length)).map((index) => pages.length + index);
    const { refs } = await client.changeSpaceContent({
      params: { spaceId: id },
      body: {
        changes: numbers.map((number) => ({
          operation: 'insert_page' as const,
          ref: `page-${number}`,
          title: `Page ${number}`,
          document: { markdown: markdownOf(number) },
        })),
      },
    });
    pages.push(...numbers.map((number) => refs[`page-${number}`] ?? ''));
  }
  return { id, pages };
}

/** Paragraphs of prose of about so many bytes. `mark` stands in each of them, so that no two texts are equal. */
export function textOf(bytes: number, mark: string): string {
  const paragraph = `A paragraph ${mark}, with **strong** words, \`code\` and a [link](https://example.org/docs). Readers look for one thing at a time, and leave when they have found it.\n\n`;
  return paragraph.repeat(Math.max(1, Math.round(bytes / paragraph.length)));
}
