import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  links,
  outline,
  parseMarkdown,
  segmentsOf,
  toMarkdown,
  validate,
  withPinnedAnchors,
  withSegments,
  type RichDocument,
} from '../index.js';
import { corpora } from '../test/corpora.js';
import { documents, runs, SEED, shape } from '../test/arbitraries.js';
import { decodeInlines, encodeInlines } from './inline-codec.js';
import { TextMapper } from './text-mapper.js';

const read = (markdown: string): RichDocument => parseMarkdown(markdown).document;
const textsIn = (markdown: string): string[] => segmentsOf(read(markdown)).map(({ text }) => text);
const sources = (document: RichDocument): Map<string, string> =>
  new Map(segmentsOf(document).map(({ id, text }) => [id, text]));
const written = (document: RichDocument, texts: Record<string, string>): string => {
  const known = new Map(Object.entries(texts));
  const others = segmentsOf(document).flatMap(({ id, text }): Array<[string, string]> => {
    const other = known.get(text);
    return other === undefined ? [] : [[id, other]];
  });
  return toMarkdown(withSegments(document, new Map(others)));
};

/** The document in which every line has been written as a tagged text and read again, also where it stays the same. */
function readAgain(document: RichDocument): RichDocument {
  const mapper = new TextMapper({
    inlines: (_, nodes) => {
      const { text, templates } = encodeInlines(nodes);
      return decodeInlines(text, templates) ?? [];
    },
    plain: (_, text) => text,
  });
  return { ...document, nodes: mapper.blocks(document.nodes) };
}

describe('segments of a document', () => {
  it('are its paragraphs, with tags in the place of marks, links and code', () => {
    expect(textsIn('# Set up\n\nRun **now** with `npm ci`, then [look](https://example.org/a).\n')).toEqual([
      'Set up',
      'Run <g id="1">now</g> with <x id="2"/>, then <g id="3">look</g>.',
    ]);
  });

  it('are titles, captions, labels, notes and alternative texts, too', () => {
    const found = textsIn(
      [
        '{% tabs %}\n{% tab title="First tab" %}\nInside\n{% endtab %}\n{% endtabs %}',
        '```js title="Main file"\ncode()\n```',
        '<figure><img src="https://example.org/p.png" alt="A picture"><figcaption>Seen from afar</figcaption></figure>',
        '<details><summary>More</summary>\n\nHidden\n\n</details>',
        '| Name | Use |\n| - | - |\n| One | Two |',
        'A note[^1].\n\n[^1]: Body of it',
      ].join('\n\n'),
    );
    for (const text of ['First tab', 'Inside', 'Main file', 'A picture', 'Seen from afar', 'More', 'Hidden'])
      expect(found).toContain(text);
    for (const text of ['Name', 'Use', 'One', 'Two', 'Body of it']) expect(found).toContain(text);
    expect(found.join('\n')).not.toMatch(/code\(\)|example\.org/);
  });

  it('say under which headings they stand', () => {
    const found = segmentsOf(read('# A\n\n## B *x*\n\nUnder b\n\n# C\n\nUnder c\n'));
    expect(found.find(({ text }) => text === 'Under b')?.headings).toEqual(['A', 'B x']);
    expect(found.find(({ text }) => text === 'Under c')?.headings).toEqual(['C']);
  });

  it('hold back addresses, e-mail addresses, placeholders and line ends that stand in prose', () => {
    const [text] = textsIn('Mail me@example.org or see https://example.org/x(y), {{name}}, ${HOME} and %s.\\\nNext');
    expect(text).toBe('Mail <x id="1"/> or see <x id="2"/>), <x id="3"/>, <x id="4"/> and <x id="5"/>.<x id="6"/>Next');
  });

  it('are none of a text without letters, of formulas, code and blocks of an API', () => {
    expect(
      textsIn('1.2.3\n\n$$a + b$$\n\n```\ncode\n```\n\n{% openapi-operation spec="s" path="/a" method="get" %}\n'),
    ).toEqual([]);
  });

  it('are cut at sentences where they are very long, and joined again', () => {
    const document = read(`${'One more sentence of **words**. '.repeat(900)}End.`);
    const found = segmentsOf(document);
    expect(found.length).toBeGreaterThan(3);
    expect(Math.max(...found.map(({ text }) => text.length))).toBeLessThanOrEqual(8_000);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const texts = new Map(found.slice(1, 2).map(({ id, text }) => [id, text.replaceAll('more', 'other')]));
    const other = toMarkdown(withSegments(document, texts));
    expect(other.replaceAll('other', 'more')).toBe(toMarkdown(document));
    expect(other.split('other').length).toBeGreaterThan(100);
  });
});

describe('a document with other texts', () => {
  it('has its marks, links and code where the tags stand', () => {
    const document = read('Run **now** with `npm ci`, then [look](https://example.org/a).');
    const source = 'Run <g id="1">now</g> with <x id="2"/>, then <g id="3">look</g>.';
    expect(written(document, { [source]: '<g id="3">Regarde</g> &amp; lance <x id="2"/> <g id="1">ici</g>' })).toBe(
      '[Regarde](https://example.org/a) & lance `npm ci` **ici**\n',
    );
  });

  it('keeps its text where the tags of another one are not its own', () => {
    const document = read('Run **now**.');
    for (const other of ['Lance <g id="7">ici</g>', 'Lance <g id="1">ici', '<b>Lance</b>'])
      expect(written(document, { 'Run <g id="1">now</g>.': other })).toBe('Run **now**.\n');
  });

  it('keeps the spaces around a segment', () => {
    const document = validate({
      object: 'document',
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: ' a b ' }] }],
        },
      ],
    });
    const [segment] = segmentsOf(document);
    expect(segment?.text).toBe('a b');
    const other = withSegments(document, new Map([[segment?.id ?? '', 'c']]));
    expect(JSON.stringify(other)).toContain('" c "');
  });

  it('keeps its anchors once they are pinned', () => {
    const document = withPinnedAnchors(
      read('# One\n\n# One\n\n## Two {#own}\n\n<details><summary>\n\n# In\n\n</summary></details>'),
    );
    const other = withSegments(document, new Map([...sources(document)].map(([id]) => [id, 'Autre'])));
    const ids = outline(document).map(({ id }) => id);
    expect(ids).toEqual(['one', 'one-1', 'own', 'in']);
    expect(outline(other).map(({ id }) => id)).toEqual(ids);
  });
});

describe(`generated documents (SEED=${SEED})`, () => {
  it('are themselves with their own segments, and have every segment under an id of its own', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const found = segmentsOf(document);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
        expect(withSegments(document, sources(document))).toEqual(document);
        expect(withSegments(document, new Map())).toEqual(document);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('say the same when every line is written as a tagged text and read again', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(shape(readAgain(document))).toBe(shape(document));
      }),
      { numRuns: runs(300) },
    );
  });

  it('name no target, code or formula in a segment', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const texts = segmentsOf(document).map(({ text }) => text.replace(/<[^>]*>/g, ' '));
        for (const text of texts) expect(text).not.toMatch(/https?:\/\/|visitor\.claims|\\frac/);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('every document of this repository', () => {
  const all = corpora().map(({ path, text }) => ({
    path,
    document: parseMarkdown(text, { context: 'page' }).document,
  }));

  it('is itself with its own segments, also when every line is written and read again', () => {
    expect(all.length).toBeGreaterThan(150);
    for (const { path, document } of all) {
      expect({ path, document: withSegments(document, sources(document)) }).toEqual({ path, document });
      expect({ path, shape: shape(readAgain(document)) }).toEqual({ path, shape: shape(document) });
    }
  });

  it('sends none of its addresses', () => {
    for (const { document } of all) {
      const sent = segmentsOf(document)
        .map(({ text }) => text)
        .join('\n');
      for (const { ref } of links(document))
        if (typeof ref['url'] === 'string' && /^https?:/.test(ref['url'])) expect(sent).not.toContain(ref['url']);
    }
  });

  it('takes about half a millisecond a segment at most', () => {
    const begin = process.cpuUsage();
    let count = 0;
    for (const { document } of all) {
      const texts = sources(document);
      count += texts.size;
      withSegments(document, texts);
    }
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000 / count).toBeLessThan(0.5);
  });
});
