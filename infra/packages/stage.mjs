import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the repository as JSON. */
export const readJson = (path) => JSON.parse(readFileSync(join(repository, path), 'utf8'));

const isBuilt = (name) => !/\.(map|[cm]?ts|tsbuildinfo)$/.test(name);
const isPage = (name) => name.endsWith('.md');
const packMs = 120_000;

/**
 * Copies what runs of a built folder: no maps, no types, and nothing of folders named `test`, which have what specs
 * run. `change(text, path)` makes the text of a module out of the original.
 */
export function copyBuilt(from, to, change = (text) => text) {
  copyFolder(from, to, isBuilt, (source, target) => {
    if (!source.endsWith('.js')) return copyFileSync(source, target);
    const text = readFileSync(source, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    writeFileSync(target, change(text, source));
  });
}

/** Copies the markdown files of a folder. */
export function copyPages(from, to) {
  copyFolder(from, to, isPage, copyFileSync);
}

function copyFolder(from, to, isWanted, copy) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== 'test') copyFolder(source, target, isWanted, copy);
    if (!entry.isFile() || !isWanted(entry.name)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copy(source, target);
  }
}

/** Copies single files of the repository: `{ 'target in the folder': 'path in the repository' }`. */
export function copyFiles(folder, files) {
  for (const [target, path] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    copyFileSync(join(repository, path), join(folder, target));
  }
}

/** Makes the tarball of a folder. Returns `{ file, size, unpackedSize, entryCount }`. */
export function pack(folder, manifest, destination) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(destination, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
    timeout: packMs,
    // npm would look for newer versions of itself.
    env: { ...process.env, npm_config_update_notifier: 'false', npm_config_loglevel: 'error' },
  });
  const [{ filename, size, unpackedSize, entryCount }] = [JSON.parse(output)].flatMap(asList);
  return { file: join(destination, filename), size, unpackedSize, entryCount };
}

/** Newer versions of npm answer an object by name instead of a list. */
function asList(answer) {
  return Array.isArray(answer) ? answer : Object.values(answer);
}
