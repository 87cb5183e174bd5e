// Refuses folders that import each other in a circle, within each app and package. dependency-cruiser sees such a
// circle only where the same files or the same leaf folders are in it. Here a folder counts with all that is below it:
// at each level of `src` the folders and files beside each other have an order. Specs and what they use (`test`,
// `specs`) are left out.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import ts from 'typescript';

const isLeftOut = (file) =>
  !/\.ts$/.test(file) || /\.(spec|d)\.ts$/.test(file) || /(^|\/)(test|specs|generated)\//.test(file);

const roots = ['apps', 'packages']
  .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'src')))
  .concat('bench/src')
  .filter((root) => existsSync(root));

const found = roots.flatMap((root) => circlesBelow(root, importsOf(root)));
for (const { folder, names, examples } of found) {
  console.error(`${folder}: these import each other in a circle: ${names.join(', ')}`);
  for (const [from, to] of examples) console.error(`  ${from} imports ${to}`);
}
if (found.length > 0) process.exitCode = 1;

/** The imports between files of a folder, as paths from there. */
function importsOf(root) {
  const files = readdirSync(root, { recursive: true })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !isLeftOut(file));
  return files.flatMap((file) =>
    ts
      .preProcessFile(readFileSync(join(root, file), 'utf8'), true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => [
        file,
        normalize(join(dirname(file), fileName))
          .split(sep)
          .join('/')
          .replace(/\.js$/, '.ts'),
      ])
      .filter(([, to]) => !to.startsWith('..') && !isLeftOut(to)),
  );
}

/** The circles at the level of this folder, and of those below. */
function circlesBelow(folder, imports) {
  const parts = new Map();
  const crossing = [];
  for (const [from, to] of imports) {
    const [a, b] = [partOf(from), partOf(to)];
    if (a !== b) crossing.push([a, b, from, to]);
    else parts.set(a, [...(parts.get(a) ?? []), [from.slice(a.length + 1), to.slice(a.length + 1)]]);
  }
  const circles = components(crossing).map((names) => ({
    folder,
    names,
    examples: crossing.filter(([a, b]) => names.includes(a) && names.includes(b)).map(([, , from, to]) => [from, to]),
  }));
  return [...circles, ...[...parts].flatMap(([name, within]) => circlesBelow(`${folder}/${name}`, within))];
}

function partOf(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file;
}

/** Groups of nodes each of which reaches all others of its group. */
function components(edges) {
  const next = new Map();
  for (const [a, b] of edges) next.set(a, (next.get(a) ?? new Set()).add(b));
  const reach = (from) => {
    const seen = new Set();
    const todo = [from];
    for (let node = todo.pop(); node !== undefined; node = todo.pop())
      for (const to of next.get(node) ?? []) if (!seen.has(to)) todo.push(to) && seen.add(to);
    return seen;
  };
  const reached = new Map([...next.keys()].map((node) => [node, reach(node)]));
  const done = new Set();
  const groups = [];
  for (const [node, there] of reached) {
    if (done.has(node) || !there.has(node)) continue;
    const group = [...there].filter((other) => reached.get(other)?.has(node));
    for (const one of group) done.add(one);
    groups.push(group.sort());
  }
  return groups;
}
