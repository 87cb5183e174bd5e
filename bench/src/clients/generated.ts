import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Cleanup } from '../processes/cleanup.js';
import { repositoryFile } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';

const fetchMs = 30_000;
const compileMs = 120_000;

/** What somebody has who compiles a generated client as strictly as `strict` is. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

/** Uses of both clients, which say that their types are those of the API. */
const use = `import type { paths, components } from './types.js';
import { createOrganizationTeam, getSpaceById, type Space } from './client/index.js';

type Answer = paths['/v1/spaces/{spaceId}']['get']['responses'][200]['content']['application/json'];
export const title = (answer: Answer): string => answer.title;
export const same = (space: components['schemas']['Space']): Space => space;
export const asked = async (): Promise<string | undefined> => (await getSpaceById({ path: { spaceId: 's' } })).data?.title;
// @ts-expect-error A team needs a title.
void createOrganizationTeam({ path: { organizationId: 'o' }, body: {} });
`;

/**
 * Has `openapi-typescript` and `@hey-api/openapi-ts` make clients of the document that an installation serves, and
 * compiles them under `strict`. Returns what the compiler says, one line for each error.
 */
export async function compileGenerated(cleanup: Cleanup, endpoint: string): Promise<string[]> {
  const response = await fetch(`${endpoint}/openapi.json`, { signal: AbortSignal.timeout(fetchMs) });
  const text = await response.text();
  const folder = await tempFolder(cleanup);
  const document = join(folder, 'openapi.json');
  await writeFile(document, text);
  await writeFile(join(folder, 'types.ts'), astToString(await openapiTS(text)));
  await createClient({ input: document, output: join(folder, 'client'), logs: { level: 'silent', file: false } });
  await writeFile(join(folder, 'use.ts'), use);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await symlink(repositoryFile('node_modules'), join(folder, 'node_modules'));
  return compile(folder);
}

/** What the compiler says of a folder. */
function compile(folder: string): Promise<string[]> {
  const compiler = repositoryFile('packages/toolchain/tsc.js');
  const args = [compiler, '-p', folder, '--pretty', 'false'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: compileMs }, (error, stdout, stderr) =>
      resolve(error === null ? [] : `${stdout}${stderr}${error.message}`.trim().split('\n')),
    );
  });
}
