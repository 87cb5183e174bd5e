// Writes src/weights/generated/seed-english.ts: in how many paragraphs of this repository's own pages each English term
// occurs. It is run by hand (`npm run seed-table -w packages/clustering`), since another table is another version of the
// package: the same conversations may then be clustered in another way.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { termsOf } from '../dist/words/terms-of.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const target = fileURLToPath(new URL('../src/weights/generated/seed-english.ts', import.meta.url));
const leastWords = 6;
const leastParagraphs = 3;
const mostTerms = 4_000;

const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !/(^|\/)(test|generated|recorded-data)\//.test(path))
  .sort();
const counts = new Map();
let paragraphs = 0;
for (const path of files)
  for (const paragraph of paragraphsOf(readFileSync(`${root}${path}`, 'utf8'))) count(paragraph);

const terms = [...counts]
  .filter(([, times]) => times >= leastParagraphs)
  .sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
  .slice(0, mostTerms);
const groups = new Map();
for (const [term, times] of terms) groups.set(times, [...(groups.get(times) ?? []), term]);
const lines = [...groups].map(([times, names]) => `  [${times}, ${JSON.stringify(names.join('|'))}],\n`);
writeFileSync(
  target,
  `// Written by scripts/seed-table.mjs.\nexport const seedParagraphs = ${paragraphs};\n\n` +
    `/** Terms by the number of paragraphs that have them, with \`|\` between them. */\n` +
    `export const seedTerms: readonly (readonly [paragraphs: number, terms: string])[] = [\n${lines.join('')}];\n`,
);
process.stdout.write(`${terms.length} terms of ${paragraphs} paragraphs in ${files.length} files\n`);

/** The prose of a page: no code, no tables, no tags, no addresses of links. */
function paragraphsOf(markdown) {
  return markdown
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/\]\([^)]*\)/g, '] ')
    .replace(/<[^>\n]*>|\{%.*?%\}/g, ' ')
    .split(/\n\s*\n|\n(?=[-*|] )/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
}

function count(paragraph) {
  if (paragraph.split(' ').length < leastWords) return;
  paragraphs += 1;
  for (const [term] of termsOf(paragraph, 'en').counts)
    if (/^[a-z' ]+$/.test(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
}
