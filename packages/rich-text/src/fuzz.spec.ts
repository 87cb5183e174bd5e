import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import {
  dereference,
  diff,
  evaluate,
  excerpt,
  hash,
  links,
  merge,
  outline,
  parseMarkdown,
  searchSections,
  toMarkdown,
  toPlainText,
  validate,
  type RichDocument,
} from './index.js';
import { documents, SEED } from './test/arbitraries.js';
import { accepted, watched } from './test/watched.js';

const folder = new URL('../corpus/', import.meta.url);
/** Every page of the corpus, in parts small enough that a change hits something. */
const sources = readdirSync(folder).flatMap(
  (name) => readFileSync(new URL(name, folder), 'utf8').match(/[^]{1,1500}(?=\n\n|$)/g) ?? [],
);

const PIECES = [
  '{% ',
  ' %}',
  '{% endhint %}',
  '{% tab %}',
  '<details>',
  '</details>',
  '<table>',
  '<td>',
  '</',
  '<p',
  '"',
  '$$',
  '```',
  '> ',
  '* ',
  '1. ',
  '\n\n',
  '\n',
  '    ',
  '|',
  '[^1]',
  '[',
  '](',
  '**',
  '_',
  '~~',
  ':a:',
  '&#',
  '\0',
  '\ud800',
  '\\',
  '---\n',
  '#',
  '😀',
  '<summary>',
  '</summary>',
  '<b>',
  '</b>',
  '<a href="/pages/p">',
  '</a>',
  '<br>',
  '<code>',
  '<pre>',
  '<ul>',
  '<li>',
  '<div>',
  '<h2>',
  '<tr>',
  '<th>',
  '<span data-option="v">',
  '<input>',
  '~~~',
  '- [ ] ',
  '\t',
  '&nbsp;',
  '\u00a0',
  '===\n',
  '](/pages/p)',
  '![',
  '<!-- ',
  ' -->',
  '{% if x %}',
  '{% endif %}',
];

/** A page with pieces cut out, doubled and put in. */
const mutated = fc
  .tuple(
    fc.constantFrom(...sources),
    fc.array(
      fc.record({
        at: fc.nat(1500),
        cut: fc.nat(40),
        put: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5, unit: 'binary' })),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([source, changes]) =>
    changes.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), source),
  );

/** A document with values replaced, removed or moved somewhere inside. */
const broken = fc
  .tuple(
    documents,
    fc.array(
      fc.tuple(
        fc.nat(500),
        fc.oneof(
          fc.constantFrom<unknown>(null, 0, '', 'block', 'text', 'list-item', [], {}, undefined),
          fc.jsonValue({ maxDepth: 2 }),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([document, changes]) => {
    const copy = structuredClone(document) as unknown;
    for (const [at, value] of changes) {
      const places: Array<[Record<string, unknown>, string]> = [];
      const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        for (const name of Object.keys(node)) {
          places.push([node as Record<string, unknown>, name]);
          visit((node as Record<string, unknown>)[name]);
        }
      };
      visit(copy);
      const place = places[at % places.length];
      if (place) place[0][place[1]] = value;
    }
    return copy;
  });

function everything(document: RichDocument): void {
  toMarkdown(document);
  toPlainText(document);
  outline(document);
  links(document);
  excerpt(document);
  searchSections(document);
  hash(document);
  evaluate(document, { compile: () => ({ evaluate: () => true, deterministic: true }) });
  dereference(document, { reusableContent: () => document, target: () => ({ title: 'x', href: '/x' }) });
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe(`mutated inputs (seed ${SEED}, FUZZ_RUNS=${process.env['FUZZ_RUNS'] ?? 'few'})`, () => {
  it('parse without a crash, and their documents can be used', () => {
    watched(
      'parse',
      250,
      fc.tuple(mutated, fc.constantFrom('page' as const, 'comment' as const)),
      ([text, context]) => {
        const parsed = accepted(() => parseMarkdown(text, { context }));
        if (parsed) everything(parsed.document);
      },
    );
  });

  it('parse in other dialects without a crash', () => {
    watched('dialect', 100, fc.tuple(mutated, fc.constantFrom('other' as const, 'mdx' as const)), ([text, dialect]) => {
      const parsed = accepted(() => parseMarkdown(text, { dialect }));
      if (parsed) everything(parsed.document);
    });
  });

  it('parse over another document, whose keys they take once at most', () => {
    watched('rematch', 100, fc.tuple(mutated, mutated), ([before, after]) => {
      const previous = accepted(() => parseMarkdown(before))?.document;
      const document = previous && accepted(() => parseMarkdown(after, { previous }))?.document;
      if (document) expect(validate(document)).toEqual(document);
    });
  });

  it('keep their text when written and read again', () => {
    watched('write', 100, mutated, (text) => {
      const document = accepted(() => parseMarkdown(text))?.document;
      const once = document && toMarkdown(document);
      const again = once === undefined ? null : accepted(() => parseMarkdown(once));
      if (!document || !again) return;
      expect(squeezed(toPlainText(again.document))).toBe(squeezed(toPlainText(document)));
      expect(toMarkdown(again.document)).toBe(once);
    });
  });

  it('validate or are refused, and what validates can be used', () => {
    watched('validate', 150, broken, (input) => {
      const document = accepted(() => validate(input));
      if (!document) return;
      everything(document);
      expect(hash(validate(document))).toBe(hash(document));
    });
  });

  it('merge and compare without a crash', () => {
    watched('merge', 80, fc.tuple(broken, broken, broken), ([a, b, c]) => {
      const [base, ours, theirs] = [a, b, c].map((input) => accepted(() => validate(input)));
      if (!base || !ours || !theirs) return;
      everything(merge(base, ours, theirs).document);
      diff(ours, theirs);
    });
  });
});
