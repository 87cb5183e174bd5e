import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { reachedFrom } from '../supply-chain/lock-file.mjs';
import { copyBuilt, copyFiles, copyPages, pack, readJson, repository } from './stage.mjs';

const apps = Object.keys(readJson('package-lock.json').packages).filter((path) => /^apps\/[^/]+$/.test(path));
const workspaces = reachedFrom(apps).filter((path) => !path.includes('node_modules/'));
const manifests = new Map(workspaces.map((path) => [path, readJson(`${path}/package.json`)]));
const folderOf = new Map([...manifests].map(([path, { name }]) => [name, path]));
/** The start of a statement that names a module, and the name of a workspace with what follows it. */
const ownImport = /((?:\bfrom|\bimport) |\bimport\()'(@scriptorium\/[\w-]+)(\/[^']+)?'/g;

/**
 * Makes the tarball of the command `scriptorium`: all apps and packages as they are in the repository, built, so that
 * `scriptorium start` works as well. What they need of the registry are ordinary dependencies.
 */
export function packCommand(folder, destination) {
  for (const path of workspaces) {
    const from = join(repository, path);
    for (const name of ['dist', 'bin'])
      if (existsSync(join(from, name))) copyBuilt(join(from, name), join(folder, path, name), withOwnPaths);
    writeManifest(join(folder, path), manifests.get(path));
    // The demo shows the pages of the product.
    if (existsSync(join(from, 'README.md'))) copyFiles(folder, { [`${path}/README.md`]: `${path}/README.md` });
  }
  copyPages(join(repository, 'docs'), join(folder, 'docs'));
  copyFiles(folder, {
    'README.md': 'apps/cli/README.md',
    'CHANGELOG.md': 'CHANGELOG.md',
    LICENSE: 'LICENSE',
    NOTICE: 'NOTICE',
    '.env.example': '.env.example',
    'apps/cli/src/demo/lighthouse.yaml': 'apps/cli/src/demo/lighthouse.yaml',
  });
  const { version, description, license } = readJson('apps/cli/package.json');
  const { engines } = readJson('package.json');
  return pack(
    folder,
    {
      name: 'scriptorium',
      version,
      description,
      license,
      type: 'module',
      bin: { scriptorium: './apps/cli/bin/scriptorium.js' },
      exports: { './package.json': './package.json' },
      files: ['apps', 'packages', 'docs', 'CHANGELOG.md', 'NOTICE', '.env.example'],
      engines,
      dependencies: newestOf('dependencies'),
      optionalDependencies: newestOf('optionalDependencies'),
    },
    destination,
  );
}

/** What programs read of the manifest of their workspace. */
function writeManifest(folder, { name, version, type }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version, type })}\n`);
}

/** Workspaces are no packages of the registry: modules name each other's files. */
function withOwnPaths(text, path) {
  return text.replace(ownImport, (_, start, name, subpath = '') => {
    const folder = folderOf.get(name);
    const target = manifests.get(folder)?.exports[`.${subpath}`]?.default;
    if (target === undefined) throw new Error(`${path} imports ${name}${subpath}, which is not packed`);
    const file = relative(dirname(path), join(repository, folder, target));
    return `${start}'${file.startsWith('.') ? file : `./${file}`}'`;
  });
}

/** What workspaces need of the registry. All have exact versions; where these differ, the newest one. */
function newestOf(kind) {
  const all = [...manifests.values()].flatMap((manifest) => Object.entries(manifest[kind] ?? {}));
  const newest = new Map();
  for (const [name, version] of all) {
    const other = newest.get(name);
    if (!folderOf.has(name) && (other === undefined || isNewer(version, other))) newest.set(name, version);
  }
  return Object.fromEntries([...newest].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isNewer(version, other) {
  const [parts, others] = [version, other].map((one) => one.split('.').map(Number));
  const differing = parts.findIndex((part, i) => part !== others[i]);
  return differing !== -1 && parts[differing] > others[differing];
}
