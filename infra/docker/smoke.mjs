// Run by `npm run infra`: lays out what the containers hold, starts each app from it with a read-only tree and without
// privileges, and uses the product: a first user, a space, a page with a file, a site. The three servers are the
// embedded ones. With --measure SECONDS it then uses everything at once for so long, and says what each app took: the
// requests of resources in the chart's values come from there.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startContainers } from './containers.mjs';
import { measure } from './measure.mjs';
import { useProduct } from './use-product.mjs';

/** Bytes that an app may have. The runtime has the engine of scripts, too. */
const mostBytes = (app) => (app === 'runtime' ? 350 : 250) * 1024 * 1024;
const here = fileURLToPath(new URL('.', import.meta.url));

if (process.getuid?.() !== 0) {
  process.stdout.write('left out: the smoke of the containers (it mounts folders, which only root may)\n');
  process.exit(0);
}
const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'scriptorium-layout-'));
const home = fileURLToPath(new URL('../../apps/', import.meta.url));
const apps = readdirSync(home).filter((name) => existsSync(join(home, name, 'src/main.ts')));
const ends = [() => rmSync(folder, { recursive: true, force: true })];
const endAll = async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void endAll().then(() => process.exit(1)));
try {
  execFileSync(join(here, 'layout.sh'), [folder, ...apps], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const app of apps) say(app, `${sizeOf(folder, app)} MiB`);
  const containers = await startContainers(folder, apps, ends);
  const made = await useProduct(containers, say);
  const [option, seconds] = process.argv.slice(2);
  if (option === '--measure') await measure(containers, made, Number(seconds ?? 60), say);
  await containers.stopAll(say);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
} finally {
  await endAll();
}
if (process.exitCode !== 1) say('containers', `well after ${Math.round((performance.now() - began) / 1000)} s`);

function say(who, what) {
  process.stdout.write(`${who}: ${what}\n`);
}

function sizeOf(folder, app) {
  const path = join(folder, app);
  const bytes = Number(execFileSync('du', ['--summarize', '--bytes', path], { encoding: 'utf8' }).split('\t')[0]);
  if (bytes > mostBytes(app)) throw new Error(`${path} has ${bytes} bytes, more than ${mostBytes(app)}`);
  return Math.round(bytes / 1024 / 1024);
}
