// Runs one spec file of each workspace, and `npm start` with its first requests, on other versions of Node. Run by
// `npm run test:nodes`, which takes versions as arguments: 22 and 24 without any.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, versionsIn, withNode } from './node-versions.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jest = join(root, 'node_modules/jest/bin/jest.js');
/** The whole product, started by its command. */
const starts = { workspace: 'apps/cli', spec: 'src/account/account-commands.e2e.spec.ts' };

const versions = versionsIn(process.argv.slice(2), ['22', '24']);
let isWell = true;
for (const version of versions) isWell = (await onNode(version)) && isWell;
process.exit(isWell ? 0 : 1);

function onNode(version) {
  return withNode(version, async ({ node, bin, exact }) => {
    let isWell = true;
    for (const suite of [starts, ...onePerWorkspace()])
      isWell = (await runSuite(suite, { node, bin, exact })) && isWell;
    return isWell;
  });
}

/** The smallest spec file of each workspace that needs servers, or the smallest of all. */
function onePerWorkspace() {
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const workspace = `${folder}/${name}`;
      const spec = smallest(join(root, workspace));
      return spec === undefined ? [] : [{ workspace, spec }];
    }),
  );
}

function smallest(workspace) {
  if (!existsSync(join(workspace, 'src'))) return undefined;
  const specs = readdirSync(join(workspace, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => join('src', path));
  const served = specs.filter((path) => path.endsWith('.int.spec.ts'));
  const sizeOf = (path) => statSync(join(workspace, path)).size;
  return (served.length > 0 ? served : specs).sort((a, b) => sizeOf(a) - sizeOf(b))[0];
}

async function runSuite({ workspace, spec }, { node, bin, exact }) {
  const began = performance.now();
  const args = ['--experimental-vm-modules', '--no-warnings', jest, spec];
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  const { code, output } = await run(node, args, { cwd: join(root, workspace), env });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok' : 'NOT OK'} Node ${exact}: ${workspace}/${spec} (${seconds} s)`);
  if (code !== 0) console.log(output);
  return code === 0;
}
