// Speed beside bare remark on the same text in the same run. `node bench/run.mjs`, after a build.
import { readdirSync, readFileSync } from 'node:fs';
import { parse as micromarkParse, postprocess, preprocess } from 'micromark';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { diff, hash, merge, parseMarkdown, toMarkdown, validate } from '../dist/index.js';

const RUNS = Number(process.env.BENCH_RUNS ?? 9);
const remark = unified().use(remarkParse).use(remarkGfm).use(remarkStringify).freeze();

/** Median milliseconds of each function, the runs of all interleaved. */
function medians(functions) {
  const times = Object.fromEntries(Object.keys(functions).map((name) => [name, []]));
  for (let i = -3; i < RUNS; i++) {
    for (const [name, run] of Object.entries(functions)) {
      const start = performance.now();
      run();
      if (i >= 0) times[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]]),
  );
}

const prose =
  'Lorem ipsum dolor sit amet, **consectetur** adipiscing elit, sed do `eiusmod` tempor incididunt ut [labore](https://example.com/x) et dolore magna aliqua. Ut enim ad _minim_ veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.\n\n';
const section = (i) =>
  `## Section ${i}\n\n${prose}${prose}* one item of text here\n* two items with **bold**\n  * nested item\n\n\`\`\`js\nconst x = 1;\nfunction foo() {\n  return x + 2;\n}\n\`\`\`\n\n> a quote of some length\n\n| a | b |\n| - | - |\n| one | two |\n| three | four |\n\n`;
let page = '';
for (let i = 0; page.length < 100_000; i++) page += section(i);

function report(name, text) {
  const tree = remark.parse(text);
  const { document } = parseMarkdown(text);
  const ms = medians({
    // Tokens alone, without extensions and without a tree: no parser on top of micromark can be faster.
    micromark: () =>
      postprocess(
        micromarkParse()
          .document()
          .write(preprocess()(text, undefined, true)),
      ),
    remarkParse: () => remark.parse(text),
    parse: () => parseMarkdown(text),
    remarkStringify: () => remark.stringify(tree),
    write: () => toMarkdown(document),
    validate: () => validate(document),
    hash: () => hash(document),
  });
  const rate = (value) => `${value.toFixed(1)} ms, ${(text.length / value / 1000).toFixed(2)} MB/s`;
  console.log(`${name} (${(text.length / 1000).toFixed(0)} KB)`);
  for (const [key, value] of Object.entries(ms)) console.log(`  ${key.padEnd(16)} ${rate(value)}`);
  console.log(`  parse / remark      ${((ms.remarkParse / ms.parse) * 100).toFixed(0)} % of its speed (goal 60)`);
  console.log(
    `  100 KB in ${((ms.parse * 100_000) / text.length).toFixed(0)} ms (goal 40), ${(text.length / ms.parse / 1000).toFixed(2)} MB/s (goal 5; micromark alone ${(text.length / ms.micromark / 1000).toFixed(2)})`,
  );
  console.log(`  write / remark      ${((ms.remarkStringify / ms.write) * 100).toFixed(0)} % of its speed (goal 100)`);
}

report('prose page', page);
const folder = new URL('../corpus/', import.meta.url);
report(
  'corpus',
  readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8').replace(/^---\n[^]*?\n---\n/, ''))
    .join('\n\n'),
);

const lines = Array.from(
  { length: 1000 },
  (_, i) => `Paragraph number ${i} with **some** words in it that nobody changes.`,
);
const base = parseMarkdown(lines.join('\n\n')).document;
const edit = (at, word) =>
  parseMarkdown(lines.map((line, i) => (i % 50 === at ? `${line} ${word}` : line)).join('\n\n'), { previous: base })
    .document;
const [ours, theirs] = [edit(3, 'ours'), edit(7, 'theirs')];
const ms = medians({
  diff: () => diff(base, ours),
  merge: () => merge(base, ours, theirs),
  rematch: () => edit(3, 'ours'),
});
console.log('1,000 blocks, 20 edited on each side');
console.log(`  diff   ${ms.diff.toFixed(1)} ms (goal 20)`);
console.log(`  merge  ${ms.merge.toFixed(1)} ms (goal 20), ${merge(base, ours, theirs).conflicts.length} conflicts`);
console.log(`  parse with keys of the previous document  ${ms.rematch.toFixed(1)} ms`);

const hostile = {
  '5,000 >': '>'.repeat(5000),
  '2,000 lists': '- '.repeat(2000),
  '10,000 [': '['.repeat(10_000),
  '10,000 {%': '{%'.repeat(10_000),
  '10,000 _*': '*a _b '.repeat(5000),
  '1 MB line': 'word '.repeat(200_000),
  'table 500 x 100': Array.from({ length: 502 }, (_, i) => `|${(i === 1 ? '-|' : 'a|').repeat(100)}`).join('\n'),
};
function reportOnce(texts, goal) {
  for (const [name, text] of Object.entries(texts)) {
    const start = performance.now();
    let result = 'parsed';
    try {
      parseMarkdown(text);
    } catch (error) {
      result = `refused: ${error.reason}`;
    }
    console.log(`${name.padEnd(16)} ${(performance.now() - start).toFixed(0)} ms ${result} (goal ${goal})`);
  }
}
reportOnce(hostile, '200');

/** Texts of one thing that just pass, beside prose of the most bytes that pass. */
const atLimit = {
  'prose, 500 KB': page.repeat(5).slice(0, 500_000),
  headings: '# h\n'.repeat(74_000),
  images: '![a](b)\n\n'.repeat(32_000),
  alerts: '> [!NOTE]\n> a\n\n'.repeat(20_000),
  footnotes: Array.from({ length: 18_000 }, (_, i) => `[^n${i}]: text\n\n`).join(''),
  'open comments': 'a <!--'.repeat(80_000),
};
reportOnce(atLimit, 'three times the prose');
