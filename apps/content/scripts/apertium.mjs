// Translates the documents of this repository by the installed command `apertium`, through the port of providers, and
// fails when a text was not answered or more than one in fifty does not pass the checks.
import { readdirSync, readFileSync } from 'node:fs';
import { parseMarkdown, segmentsOf } from '@scriptorium/rich-text';
import { apertiumCommandProvider } from '../dist/moving/translations/providers/apertium.process.js';
import { batchesOf } from '../dist/moving/translations/providers/batches.js';
import { translateBatch } from '../dist/moving/translations/providers/translate-batch.js';

const folder = new URL('../../../docs/', import.meta.url);
const provider = apertiumCommandProvider();
const { signal } = new AbortController();
const found = { documents: 0, segments: 0, translated: 0, problems: new Map() };

async function translateDocument(text) {
  const segments = segmentsOf(parseMarkdown(text, { context: 'page' }).document);
  for (const batch of batchesOf(segments)) {
    const request = { from: 'en', to: 'es', segments: batch, headings: [], terms: [], instructions: '' };
    for await (const { texts, problems } of translateBatch(provider, request, signal)) {
      found.translated += texts.size;
      for (const problem of [...problems.values()].flat())
        found.problems.set(problem, (found.problems.get(problem) ?? 0) + 1);
    }
  }
  found.documents += 1;
  found.segments += segments.length;
}

const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
const begin = Date.now();
try {
  for (const name of names) await translateDocument(readFileSync(new URL(name, folder), 'utf8'));
} catch (error) {
  console.error(`${error.message}. This lane needs the command apertium and the pair eng-spa, such as by`);
  console.error('apt-get install apertium apertium-eng-spa');
  process.exit(1);
}
const problems = Object.fromEntries(found.problems);
console.log(JSON.stringify({ ...found, problems, ms: Date.now() - begin }));
if (found.documents === 0 || found.translated < found.segments * 0.98) process.exit(1);
