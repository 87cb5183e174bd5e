import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../../../', import.meta.url));
const packMs = 180_000;

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Makes the tarballs of `npm run pack` in a folder, which also checks them. Returns what it has written. */
export function packTo(folder: string): string {
  const script = join(repository, 'infra/packages/pack.mjs');
  return execFileSync(process.execPath, [script, folder], { encoding: 'utf8', timeout: packMs });
}

/**
 * Installs a tarball into a folder as npm would, but without a registry: what it depends on is linked from the
 * repository. Returns the folder of the package.
 * @throws Error for a dependency that the repository does not have
 */
export function install(folder: string, tarball: string, name: string): string {
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  const { dependencies = {}, optionalDependencies = {} } = manifestIn(target);
  for (const [dependency, range] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    const found = locate(dependency, range.replace(/^\^/, ''));
    if (found !== undefined) link(found, join(folder, 'node_modules', dependency));
    else if (!(dependency in optionalDependencies)) throw new Error(`${name} needs ${dependency}@${range}`);
  }
  return target;
}

function link(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to);
}

/** Where a version of a package is installed: for all workspaces or for one. */
function locate(name: string, version: string): string | undefined {
  const homes = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(repository, group)).map((workspace) => join(repository, group, workspace)),
  );
  return [repository, ...homes]
    .map((home) => join(home, 'node_modules', name))
    .find((folder) => existsSync(join(folder, 'package.json')) && manifestIn(folder).version === version);
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The compiler, as somebody has it who compiles with it. */
export const compiler = join(repository, 'packages/toolchain/tsc.js');
/** The types of Node, for a program elsewhere. */
export const typesFolder = join(repository, 'node_modules/@types');
