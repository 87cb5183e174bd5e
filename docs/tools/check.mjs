import { readFileSync, readdirSync } from 'node:fs';
import { configurationPage } from './configuration.mjs';
import { errorFiles } from './errors.mjs';
import {
  brokenLinks,
  lostWords,
  missingDecisions,
  missingMetrics,
  missingPaths,
  missingScripts,
  readPages,
  readSource,
} from './pages.mjs';
import { staleSamples } from './samples.mjs';

// Run by `npm run docs:check`, after a build: what is generated is fresh, and what pages refer to exists.
const pages = readPages();
const written = readFileSync(new URL('../configuration.md', import.meta.url), 'utf8');
const problems = [
  ...(written === (await configurationPage()) ? [] : ['docs/configuration.md is stale: npm run docs:write']),
  ...staleErrors(),
  ...missingDecisions(readdirSync(new URL('../adr/', import.meta.url)), readSource('docs/adr/README.md')),
  ...pages.flatMap((page) =>
    [brokenLinks, missingPaths, missingScripts, missingMetrics, lostWords].flatMap((find) => find(page)),
  ),
  ...pages.flatMap((page) => staleSamples(page, readSource)),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${pages.length} pages, ${problems.length === 0 ? 'all well' : `${problems.length} problems`}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Pages of reasons that are missing, left over, or not as the contract has them. */
function staleErrors() {
  const folder = new URL('../errors/', import.meta.url);
  const files = errorFiles();
  const present = readdirSync(folder);
  const stale = [...files]
    .filter(([name, text]) => !present.includes(name) || readFileSync(new URL(name, folder), 'utf8') !== text)
    .map(([name]) => name);
  return [...stale, ...present.filter((name) => !files.has(name))].map(
    (name) => `docs/errors/${name} is stale: npm run docs:write`,
  );
}
