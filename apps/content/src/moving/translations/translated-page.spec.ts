import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, segmentsOf, type RichDocument } from '@scriptorium/rich-text';
import { fitsIn, leadingInto, mostOf, pageSegments, translatedPage, type PageTexts } from './translated-page.js';

const document: RichDocument = parseMarkdown(
  '## First steps\n\nRead [this](/spaces/s1/pages/p1#a) & **that**.\n\n```js\nrun()\n```\n',
).document;
const page: PageTexts = { title: 'Begin & end', description: 'What is first', document };
const none = new Map<string, string>();

/** Every segment with its words in upper case, and its tags as they are. */
const upper = (texts: PageTexts): Map<string, string> =>
  new Map(
    pageSegments(texts).map(({ id, text }) => [
      id,
      text.replace(/(?<![<&/\w])\b\w+\b(?![^<]*>)/g, (w) => w.toUpperCase()),
    ]),
  );

describe('the texts of a page to translate', () => {
  it('are its title, its description, and those of its document below the title', () => {
    const [title, description, heading, line] = pageSegments(page);
    expect([title?.text, description?.text]).toEqual(['Begin &amp; end', 'What is first']);
    expect([heading?.text, heading?.headings]).toEqual(['First steps', ['Begin & end']]);
    expect(line?.headings).toEqual(['Begin & end', 'First steps']);
    expect(JSON.stringify(pageSegments(page))).not.toMatch(/run\(\)|s1|p1/);
  });

  it('have a context without addresses and control characters, cut between characters', () => {
    const title = `See https://example.org/x\u0007, ${'x'.repeat(190)}👩‍👩‍👧‍👦`;
    const [, heading] = pageSegments({ title, document });
    expect(heading?.headings).toEqual([`See , ${'x'.repeat(190)}`]);
  });

  it('have ids of their own', () => {
    const ids = pageSegments(page).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are none for what has no letter', () => {
    expect(pageSegments({ title: '1.2' })).toEqual([]);
  });
});

describe('a translated page', () => {
  it('is the page itself with its anchors pinned when there are no texts', () => {
    const same = translatedPage(page, none, none);
    expect([same.title, same.description]).toEqual([page.title, page.description]);
    expect(segmentsOf(same.document ?? document)).toEqual(segmentsOf(document));
    expect(same.document?.nodes[0]?.data).toMatchObject({ id: 'first-steps' });
  });

  it('has other texts, and keeps anchors, code and targets', () => {
    const other = translatedPage(page, upper(page), none);
    expect([other.title, other.description]).toEqual(['BEGIN & END', 'WHAT IS FIRST']);
    expect(other.document?.nodes[0]?.data).toMatchObject({ id: 'first-steps' });
    expect(pageSegments(other)[2]?.text).toBe('FIRST STEPS');
    const text = JSON.stringify(other.document);
    expect(text).toContain('run()');
    expect(text).toContain('"space":"s1"');
  });

  it('keeps a title or description that would be too long', () => {
    const long = new Map([
      ['/title', 'x'.repeat(256)],
      ['/description', 'y'.repeat(1_025)],
    ]);
    expect(translatedPage(page, long, none)).toMatchObject({ title: page.title, description: page.description });
    expect([mostOf('/title'), mostOf('/description'), mostOf('block')]).toEqual([255, 1_024, undefined]);
    const [fitting, title] = ['<g id="1">x&amp;</g>'.repeat(100), 'x'.repeat(256)];
    expect([fitsIn('/title', fitting), fitsIn('/title', title), fitsIn('b', title)]).toEqual([true, false, true]);
  });

  it('leads into the results of the spaces that have one', () => {
    const text = JSON.stringify(translatedPage(page, none, new Map([['s1', 'r1']])).document);
    expect(text).toContain('"space":"r1"');
    expect(text).not.toContain('"space":"s1"');
  });

  it('has no document when the page has none', () => {
    expect(translatedPage({ title: 'Group' }, none, none)).toEqual({ title: 'Group' });
  });
});

describe('references', () => {
  it('lead into other spaces as they are told, and stay otherwise', () => {
    const refs = [
      { kind: 'space', space: 's1' },
      { kind: 'page', page: 's1', space: 's2' },
      { kind: 'page', page: 's1' },
      { text: 's1', space: 's1' },
    ];
    expect(leadingInto(refs, new Map([['s1', 'r1']]))).toEqual([{ kind: 'space', space: 'r1' }, ...refs.slice(1)]);
  });
});
