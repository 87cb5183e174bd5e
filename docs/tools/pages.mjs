import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every page of documentation: those of the root, of `docs/` and of the packages. `{ path, text, prose }`. */
export function readPages() {
  const paths = [
    ...filesIn('.', false),
    ...filesIn('docs', true),
    ...['apps', 'packages'].flatMap((group) =>
      readdirSync(join(root, group)).flatMap((name) => filesIn(`${group}/${name}`, false)),
    ),
  ];
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, prose: text.replace(/^```[\s\S]*?^```$/gm, '') };
  });
}

/** The text of a file of the repository; `undefined` if it is not there. */
export function readSource(path) {
  const full = join(root, path);
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined;
}

function filesIn(folder, deep) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return deep ? filesIn(path, true) : [];
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Links within the repository that lead nowhere, also those to a heading that is not there. */
export function brokenLinks({ path, prose }) {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file, heading] = target.split('#');
    const full = file === '' ? path : posix.join(dirname(path), file);
    if (!existsSync(join(root, full))) return [`${path}: the link to ${target} leads nowhere`];
    if (heading === undefined || headingsOf(full).includes(heading)) return [];
    return [`${path}: ${full} has no heading #${heading}`];
  });
}

function headingsOf(path) {
  const prose = readFileSync(join(root, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

const pathLike = /^(?:\.ci|apps|bench|docs|infra|packages|src)\/[\w.*/<>-]*$/;

/** Folder of the workspace that a page belongs to; the root's for all others. */
const homeOf = (path) => (/^(apps|packages)\//.test(path) ? dirname(path) : '.');

/**
 * Paths in backticks that exist neither in the page's workspace nor in the root; what has a placeholder is checked up
 * to it.
 */
export function missingPaths({ path, prose }) {
  return [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, word]) => {
    if (!pathLike.test(word)) return [];
    const known = /[*<]/.test(word) ? word.slice(0, word.search(/[^/]*[*<]/)) : word;
    return existsSync(join(root, homeOf(path), known)) || existsSync(join(root, known))
      ? []
      : [`${path}: there is no ${word}`];
  });
}

/**
 * Scripts that are named as `npm run <script> [-w <workspace>]` and do not exist there; without a workspace, in the
 * page's or the root.
 */
export function missingScripts({ path, text }) {
  return [...text.matchAll(/npm run ([\w:-]+)((?: [^`\n]*?)?)(?=[`\n])/g)].flatMap(([, script, rest]) => {
    const workspace = /-w ([\w./-]+)/.exec(rest)?.[1];
    const folders = workspace === undefined ? [homeOf(path), '.'] : [workspace];
    return folders.some((folder) => script in scriptsOf(folder))
      ? []
      : [`${path}: there is no script ${script} in ${folders[0]}`];
  });
}

function scriptsOf(folder) {
  const manifest = join(root, folder, 'package.json');
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {}) : {};
}

/** Metrics that are named and that no source makes. */
export function missingMetrics({ path, text }) {
  const sources = ['packages/platform/src', 'apps/runtime/src', 'apps/integrations/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  return [...text.matchAll(/`scriptorium_(\w+)`/g)].flatMap(([, name]) =>
    sources.some((source) => source.includes(`'${name}'`) || source.includes(`'scriptorium_${name}'`))
      ? []
      : [`${path}: there is no metric scriptorium_${name}`],
  );
}

/**
 * Code spans that are empty, and places where a word fell out: a shell runs what stands in backticks and leaves nothing.
 * Such a place is a line that begins with one space, or two spaces within a sentence.
 */
export function lostWords({ path, prose }) {
  return prose.split('\n').flatMap((line) => {
    const spans = [...line.matchAll(/(?<!`)(`+)(?!`)(?:(.*?[^`])\1(?!`))?/g)];
    const isEmpty = spans.some(([, , content]) => content === undefined || content.trim() === '');
    const where = `in "${line.slice(0, 60)}"`;
    return [
      ...(isEmpty ? [`${path}: an empty or unclosed code span ${where}`] : []),
      ...(hasGap(line) ? [`${path}: a word is missing ${where}`] : []),
    ];
  });
}

/** Tables and indented code are laid out with spaces, as are items of lists behind their mark. */
function hasGap(line) {
  if (/^(\||    )/.test(line)) return false;
  const words = line.replace(/(?<!`)(`+)(?!`).*?[^`]\1(?!`)/g, '`code`').replace(/^\s*(?:[-*]|\d+\.)\s+/, '');
  return /^ \S/.test(words) || /\S {2,}\S/.test(words);
}

/** Decisions without a line in the list of decisions, and numbers up to the last one that have neither. */
export function missingDecisions(names, list) {
  const numbers = names.flatMap((name) => /^(\d{4})-/.exec(name)?.[1] ?? []);
  const last = Math.max(...numbers.map(Number));
  const all = Array.from({ length: last }, (_, i) => String(i + 1).padStart(4, '0'));
  const listed = new Set([...list.matchAll(/^\| (?:\[)?(\d{4})/gm)].map(([, number]) => number));
  return [
    ...all
      .filter((number) => !listed.has(number))
      .map((number) => `docs/adr/README.md has no line for ${number}; a number that was never used needs one, too`),
    ...numbers
      .filter((number, i) => numbers.indexOf(number) !== i)
      .map((number) => `docs/adr has two decisions with the number ${number}`),
  ];
}
