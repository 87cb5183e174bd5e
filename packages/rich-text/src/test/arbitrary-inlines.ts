import fc from 'fast-check';
import { fragment, inline, leaf, mark, paragraph, text, voidInline } from '../model/build.js';
import { type Data, type Inline, type InlineNode, type Leaf, type Mark, type Text } from '../model/types.js';

/** Words that look like markup as often as like words. */
const WORDS =
  'alpha beta gamma delta Zürich naïve 10:30:45 a_b_c snake_case *star* _under_ `tick` ~~no~~ {% {%x %} {%hint%} $$ $5 :smile: :nope: <b> <T> </div> <!-- &amp; & # ## 1. 2) - + > | || \\ \\* [x] [ ] [^1] ![ ](y) http://x.y www.x.y a@b.c !!! == --- *** ... 😀x "q" \'s 日本語'.split(
    ' ',
  );
const SAFE = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ');

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SAFE) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS.filter((each) => !each.includes('😀'))) },
);
export const phrase = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(word, { minLength: min, maxLength: max }).map((words) => words.join(' '));
export const name = fc.constantFrom(...SAFE);

const MARKS = ['keyboard', 'superscript', 'subscript', 'strikethrough', 'italic', 'bold', 'code'];
const color = fc.record({
  text: fc.constantFrom('default', 'red', '$primary'),
  background: fc.constantFrom('default', 'green'),
});
const marks: fc.Arbitrary<Mark[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mark[]>([]) },
  {
    weight: 3,
    arbitrary: fc.subarray(MARKS, { minLength: 1, maxLength: 2 }).map((types) => types.map((type) => mark(type))),
  },
  { weight: 1, arbitrary: color.map((data) => [mark('color', data)]) },
);

export const ref: fc.Arbitrary<Data & { kind: string }> = fc.oneof(
  name.map((id) => ({ kind: 'page', page: id })),
  name.map((id) => ({ kind: 'file', file: id })),
  fc.tuple(name, name).map(([page, anchor]) => ({ kind: 'anchor', page, anchor })),
  fc
    .constantFrom('https://example.com/a', 'https://example.com/a_b(c)?x=1&y=*', 'mailto:a@b.c')
    .map((url) => ({ kind: 'url', url })),
);

/** Leaves joined by plain spaces, so that emphasis can begin and end. */
const leaves: fc.Arbitrary<Leaf[]> = fc
  .array(fc.tuple(phrase(1, 3), marks), { minLength: 1, maxLength: 4 })
  .map((parts) => {
    const out: Leaf[] = [];
    const add = (value: string, own: Mark[]): void => {
      const last = out[out.length - 1];
      if (last && JSON.stringify(last.marks) === JSON.stringify(own)) last.text += value;
      else out.push(leaf(value, own));
    };
    parts.forEach(([value, own], i) => {
      if (i > 0) add(' ', []);
      add(value, own);
    });
    return out;
  });

const textNode: fc.Arbitrary<Text> = leaves.map((own) => ({ object: 'text', leaves: own }));

const image: fc.Arbitrary<Inline> = fc
  .record({ ref, alt: phrase(1, 2), size: fc.constantFrom('original', 'line') })
  .map((data) => voidInline('inline-image', data));
const icon = fc.record({ icon: name }).map((data) => voidInline('icon', data));
const voids: fc.Arbitrary<Inline> = fc.oneof(
  image,
  icon,
  fc.constantFrom('1f604', '1f680', '2764').map((code) => voidInline('emoji', { code })),
  fc.constantFrom('a*b_c', 'x^2 + \\frac{a}{b}', 'a | b').map((formula) => voidInline('inline-math', { formula })),
  fc
    .constantFrom('visitor.claims.a == "b" && c', 'a * b * c', 'x["<b>"] || `y`')
    .map((expression) => voidInline('expression', { expression })),
  fc
    .record({ label: phrase(1, 2), kind: fc.constantFrom('primary', 'secondary'), ref })
    .map((data) => voidInline('button', data)),
  fc
    .record({
      label: name,
      kind: fc.constant('primary'),
      action: fc.record({ action: fc.constant('search'), query: phrase(1, 2) }),
    })
    .map((data) => voidInline('button', data)),
  fc.tuple(name, name).map(([user, label]) => voidInline('mention', { ref: { kind: 'user', user }, text: label })),
  fc
    .tuple(name, phrase(1, 2))
    .map(([page, label]) => voidInline('mention', { ref: { kind: 'page', page }, text: label })),
);
const link: fc.Arbitrary<Inline> = fc
  .tuple(ref, textNode, fc.option(image, { nil: undefined, freq: 5 }))
  .map(([target, own, picture]) =>
    inline('link', { ref: target }, picture ? mergeTexts([own, text(' '), picture]) : [own]),
  );
export const noteOn = (ownMarks: fc.Arbitrary<Mark[]>): fc.Arbitrary<Inline> =>
  fc.tuple(fc.oneof(name, phrase(2, 3)), ownMarks, phrase(1, 3)).map(([own, ownMarks, body]) => ({
    ...inline('annotation', {}, [text(own, ownMarks)]),
    fragments: [fragment('annotation-body', [paragraph([text(body)])])],
  }));
const note = noteOn(marks);

/** Inlines apart from each other by spaces, which is how people write them. */
export const inlines: fc.Arbitrary<InlineNode[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: textNode },
      { weight: 3, arbitrary: voids },
      { weight: 1, arbitrary: link },
      { weight: 1, arbitrary: note },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((nodes) => {
    const out: InlineNode[] = [];
    nodes.forEach((node, i) => {
      if (i > 0) out.push(text(' '));
      out.push(node);
    });
    return mergeTexts(out);
  });

function mergeTexts(nodes: InlineNode[]): InlineNode[] {
  const out: InlineNode[] = [];
  for (const node of nodes) {
    const last = out[out.length - 1];
    if (node.object !== 'text' || last?.object !== 'text') {
      out.push(node.object === 'text' ? { ...node, leaves: node.leaves.map((each) => ({ ...each })) } : node);
      continue;
    }
    for (const each of node.leaves) {
      const end = last.leaves[last.leaves.length - 1];
      if (end && JSON.stringify(end.marks) === JSON.stringify(each.marks)) end.text += each.text;
      else last.leaves.push({ ...each });
    }
  }
  return out;
}
