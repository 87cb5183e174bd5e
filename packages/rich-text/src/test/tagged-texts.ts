import fc from 'fast-check';
import { TAGS as KNOWN_TAGS } from '../model/content.js';

export const WORDS = 'alpha beta gamma delta epsilon zeta iota kappa'.split(' ');

/**
 * Every tag of the format, bare and with a title (a title of a condition is a condition), with a target that is found
 * and with none, and one that the format does not have.
 */
const TAGS = [
  ...[...KNOWN_TAGS.keys(), 'nonsense', '@acme/chart', '@mermaid/diagram'],
  ...[...KNOWN_TAGS.keys()]
    .filter((name) => name !== 'if')
    .map((name, i) => `${name} title="${WORDS[i % WORDS.length] ?? ''}"`),
  ...['hint style="info"', 'update date="2026-01-01"', 'update date="2026-01-01" title="beta"', 'if x'],
  ...[
    'file src="/files/f"',
    'file src="/files/f" caption="iota" title="kappa"',
    'file src="gone"',
    'embed url="https://a.b"',
    'embed url="https://a.b" title="alpha"',
    'content-ref url="/pages/p"',
    'content-ref url="/pages/p" title="beta"',
    'content-ref url="gone"',
    'page-ref page="/pages/p"',
    'page-ref page="gone" title="gamma"',
    'include "/reusable-content/r"',
    'include "/reusable-content/r" title="delta"',
    'include "gone"',
  ],
  ...[
    'openapi src="/files/f" path="/a" method="get"',
    'openapi src="/files/f" path="/a" method="get" title="zeta"',
    'openapi src="gone.yaml" path="/a" method="get"',
    'swagger src="/files/f" path="/a" method="get"',
    'swagger method="get" path="/a"',
    'swagger method="get" path="/a" title="iota"',
    'openapi-operation spec="s" path="/a" method="get"',
    'openapi-operation spec="s" path="/a" method="get" title="alpha"',
    'openapi-schemas spec="s" schemas="A"',
    'openapi-schemas schemas="A" title="beta"',
    'openapi-webhook spec="s" name="n" method="post"',
    'openapi-webhook spec="s" name="n" method="post" title="gamma"',
  ],
];
const ELEMENTS = [
  ...'p div b i span h2 ul ol li blockquote pre code details summary figure figcaption table thead tbody tr td th caption select dl dt dd section center kbd sub picture video iframe svg form label textarea script style title template object map ruby rt'.split(
    ' ',
  ),
  ...[
    'a href="/pages/p"',
    'a href="gone"',
    'h2 align="center"',
    'p align="center"',
    'pre class="language-js"',
    'code class="expression"',
    'th data-type="number"',
    'option value="v"',
    'mark style="color:red"',
    'i class="x"',
  ],
  ...['button class="button"', 'a class="button primary" href="/pages/p"', 'a data-mention href="mention://user/u"'],
];

const nameOf = (tag: string): string => tag.split(' ')[0] ?? '';
const word = fc.constantFrom(...WORDS);
const tag = fc.constantFrom(...TAGS);
const element = fc.constantFrom(...ELEMENTS);

/** Words in tags and elements in one another, each word apart from the next. */
export const nestedTexts: fc.Arbitrary<string> = fc
  .array(
    fc.letrec<{ node: string }>((tie) => {
      const inside = fc.array(tie('node'), { maxLength: 3 });
      return {
        node: fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          word,
          fc
            .tuple(tag, inside)
            .map(([name, nodes]) => `\n\n{% ${name} %}\n${nodes.join('\n')}\n{% end${nameOf(name)} %}\n\n`),
          fc.tuple(element, inside).map(([name, nodes]) => `<${name}>${nodes.join(' ')}</${nameOf(name)}>`),
          fc
            .tuple(element, inside)
            .map(([name, nodes]) => `\n\n<${name}>\n\n${nodes.join('\n\n')}\n\n</${nameOf(name)}>\n\n`),
        ),
      };
    }).node,
    { minLength: 1, maxLength: 3 },
  )
  .map((nodes) => nodes.join('\n\n'));

const piece = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: tag.map((name) => `{% ${name} %}`) },
  { weight: 2, arbitrary: tag.map((name) => `{% end${nameOf(name)} %}`) },
  { weight: 3, arbitrary: element.map((name) => `<${name}>`) },
  { weight: 3, arbitrary: element.map((name) => `</${nameOf(name)}>`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '* ',
      '> ',
      '1. ',
      '# ',
      '- [ ] ',
      '<br>',
      '<hr>',
      '[',
      ']',
      '**',
      '`',
      '|',
      '\n|-|\n',
      '[^1]',
      '\n\n[^1]: ',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(word, fc.constantFrom('![w](/files/f)', '![w](gone "w")', '[w](/pages/p)', '<img alt="w" src="gone">'))
      .map(([own, source]) => source.replaceAll('w', own)),
  },
);

/** The same words, tags and elements in any order. */
export const brokenTexts: fc.Arbitrary<string> = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', '\n', '\n\n', '')), { maxLength: 25 })
  .map((pieces) => pieces.map(([own, gap]) => own + gap).join(''));
