import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const root = new URL('../../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const { packages } = read('package-lock.json');

/**
 * What the apps need to run, as the lock file has it, also for other systems than this one: the packages that are
 * reached from `apps/*` by dependencies, optional and peer ones included. `{ name, version, licence, integrity,
 * optional }`, sorted.
 */
export function productionDependencies() {
  const apps = Object.keys(packages).filter((path) => /^apps\/[^/]+$/.test(path));
  const found = reachedFrom(apps)
    .filter((path) => path.includes('node_modules/'))
    .map(describe);
  const distinct = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The folders of workspaces and packages that these workspaces need to run, and the workspaces themselves. */
export function reachedFrom(workspaces) {
  const reached = new Set();
  const waiting = [...workspaces];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    waiting.push(...names.map((name) => resolve(path, name)).filter((found) => found !== undefined));
  }
  return [...reached].sort();
}

/** Where Node looks for a workspace of this folder; undefined for a package. */
export function linkTarget(workspace) {
  return Object.keys(packages).find((path) => packages[path].link && packages[path].resolved === workspace);
}

/** Packages from the registry whose bytes nothing is compared with. */
export function withoutIntegrity() {
  return Object.keys(packages)
    .filter((path) => path.includes('node_modules/') && !packages[path].link && packages[path].integrity === undefined)
    .sort();
}

/** Where Node finds a package that another one asks for; undefined for an optional one that is not locked. */
function resolve(from, name) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const entry = packages[posix.join(folder, 'node_modules', name)];
    if (entry !== undefined) return entry.link ? entry.resolved : posix.join(folder, 'node_modules', name);
    if (folder === '.') return undefined;
  }
}

function describe(path) {
  const { name, version, license, integrity, optional = false } = packages[path];
  const ending = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return { name: name ?? ending, version, licence: license ?? manifestLicence(path), integrity, optional };
}

/** The licence in the manifest of an installed package, also in the older forms. */
function manifestLicence(path) {
  if (!existsSync(new URL(`${path}/package.json`, root))) return undefined;
  const { license, licenses } = read(`${path}/package.json`);
  return license?.type ?? license ?? licenses?.map((one) => one.type ?? one).join(' OR ');
}
