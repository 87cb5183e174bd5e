import fc from 'fast-check';
import { leaf, mark } from '../model/build.js';
import { type Block, type Inline, type RichDocument, type Text } from '../model/types.js';
import { validate } from '../model/validate.js';
import { walk } from '../model/walk.js';
import { documents } from './arbitraries.js';

/** What no editor writes as text, and every API may be sent. */
const ODD =
  '\\ |\\|`|``|**|*a*|_|~|~~|:tada:|:|<b>|</td>|</p>|-->|<!--|{%|%}|{% hint %}|{% endhint %}|$$|$|"|\'|&amp;|&|#|# a|1. a|- a|> a|---|===|[|]|[a](b)|![|[^1]|[^1]: a|```|~~~|\t|\v|é|😀|a😀b|\u00a0|👍🏽|[ ] a|!|^|=|+ a|http://a.b|<http://a.b>|a@b.c| a|b |a\nb|\n|  |word|beta';
const odd = fc
  .array(fc.constantFrom('x|y', '|-|', '\\|', ...ODD.split('|')), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

const TEXTS = ['title', 'alt', 'label', 'formula', 'expression', 'text', 'caption', 'description', 'query', 'syntax'];
const MARKS = ['keyboard', 'superscript', 'subscript', 'strikethrough', 'italic', 'bold', 'code'];
const change = fc.record({
  at: fc.nat(1000),
  text: odd,
  marks: fc.subarray(MARKS, { maxLength: 2 }),
  inserted: fc.boolean(),
  inData: fc.boolean(),
});

/** Documents in which texts, their marks and texts in properties are whatever somebody could send. */
export const oddDocuments: fc.Arbitrary<RichDocument> = fc
  .tuple(documents, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([document, changes]) => {
    const copy = structuredClone(document);
    const texts: Text[] = [];
    const owners: Array<[Block | Inline, string]> = [];
    walk(copy, (node) => {
      if (node.object === 'text') texts.push(node);
      else if (node.object === 'block' || node.object === 'inline')
        for (const name of TEXTS) if (typeof node.data[name] === 'string') owners.push([node, name]);
    });
    for (const { at, text, marks, inserted, inData } of changes) {
      const [owner, name = ''] = owners[at % owners.length] ?? [];
      const target = texts[at % texts.length];
      if (inData && owner) owner.data[name] = text;
      else
        target?.leaves.splice(
          at % target.leaves.length,
          inserted ? 0 : 1,
          leaf(
            text,
            marks.map((type) => mark(type)),
          ),
        );
    }
    return validate(copy);
  });
