// Run by layout.sh: the root of the file system of an app's container. It holds Node with its libraries, the app, what
// the app needs to run by the lock file, and two folders for data; no shell, no package manager, no sources.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkTarget, reachedFrom } from '../supply-chain/lock-file.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const [root, app] = process.argv.slice(2);
if (root === undefined || app === undefined || !existsSync(join(repository, 'apps', app))) {
  process.stderr.write('usage: layout.mjs FOLDER APP, an app being a folder of apps/\n');
  process.exit(1);
}

/** Only compilers and debuggers read these. */
const notToRun = /\.(map|[cm]?ts|tsbuildinfo|ttf\.png)$/;
const user = 65532;
/** What runs scripts of integrations, in its package: a program beside Node. */
const engine = 'bin/workerd';

rmSync(root, { recursive: true, force: true });
layNode();
layProduct();
layAccounts();

function layNode() {
  const node = realpathSync(process.execPath);
  place(node, join(root, 'usr/bin/node'));
  layLibraries(node);
}

/** The libraries of the system that a program or a native module is linked with. Several may load the same. */
function layLibraries(program) {
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(?:=>\s+|^\s+)(\/\S+)/gm);
  for (const [, library] of libraries)
    if (!existsSync(join(root, library))) place(realpathSync(library), join(root, library));
}

function layProduct() {
  const home = join(root, 'app');
  for (const path of reachedFrom([`apps/${app}`])) {
    const from = join(repository, path);
    // Optional packages are installed where they fit the system.
    if (!existsSync(from)) continue;
    if (path.includes('node_modules/')) copyPackage(from, join(home, path));
    else copyWorkspace(from, join(home, path));
    if (existsSync(join(from, engine))) layLibraries(join(from, engine));
    const link = linkTarget(path);
    if (link === undefined) continue;
    mkdirSync(dirname(join(home, link)), { recursive: true });
    symlinkSync(relative(dirname(link), path), join(home, link));
  }
  for (const name of ['health.mjs', 'pause.mjs', 'secrets.mjs'])
    copyFileSync(new URL(`container/${name}`, import.meta.url), join(home, name));
  const start = app === 'cli' ? 'apps/cli/bin/scriptorium.js' : `apps/${app}/dist/main.js`;
  writeFileSync(join(home, 'main.mjs'), `import './secrets.mjs';\nawait import('./${start}');\n`);
}

/** Who runs the app, where it may write, and where names of machines are looked up. */
function layAccounts() {
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `scriptorium:x:${user}:${user}::/data:/sbin/nologin\n`);
  writeFileSync(join(root, 'etc/group'), `scriptorium:x:${user}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  for (const [name, mode] of [
    ['data', 0o755],
    ['tmp', 0o1777],
    ['dev', 0o755],
    ['proc', 0o555],
  ]) {
    mkdirSync(join(root, name));
    chmodSync(join(root, name), mode);
  }
}

/** A package without those that lie in it: of these, the ones that are needed are copied by their own entries. */
function copyPackage(from, to) {
  const isFonts = from.includes('node_modules/@expo-google-fonts/');
  copyFolder(from, to, (name) => name === 'node_modules' || (isFonts && isUnusedFace(name)));
  const natives = from.includes('typst-ts-node-compiler-')
    ? readdirSync(from).filter((name) => name.endsWith('.node'))
    : [];
  for (const native of natives) layLibraries(join(from, native));
}

/** PDFs use these faces of a family; packages have all weights, each in a folder of its own. */
function isUnusedFace(folder) {
  return /^\d{3}[A-Z]/.test(folder) && !/^(400Regular|700Bold)(_Italic)?$/.test(folder);
}

/** Folders named `test` in what is built hold what specs run. */
function copyWorkspace(from, to) {
  place(join(from, 'package.json'), join(to, 'package.json'));
  for (const name of ['dist', 'bin'])
    if (existsSync(join(from, name))) copyFolder(join(from, name), join(to, name), (folder) => folder === 'test');
}

function copyFolder(from, to, isLeftOut) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (!isLeftOut(entry.name)) copyFolder(source, target, isLeftOut);
    } else if (entry.isFile() && !notToRun.test(entry.name)) place(source, target);
  }
}

/** Links are quick and take no room; another file system needs copies. */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV' && error.code !== 'EPERM') throw new Error(`${basename(from)}: ${error.message}`);
    copyFileSync(from, to);
  }
}
