import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument, operations } from '../../packages/contracts/dist/index.js';
import { copyBuilt, copyFiles, pack, readJson, repository } from './stage.mjs';

/**
 * Makes the tarball of `@scriptorium/client`: the names of `packages/client`, a copy of the contracts, and types made
 * from the OpenAPI document. Those of the schemas would be 8 MB, which compilers need half a minute for.
 */
export async function packClient(folder, destination) {
  const { private: _, scripts, dependencies, ...manifest } = readJson('packages/client/package.json');
  const dist = join(folder, 'dist');
  copyBuilt(join(repository, 'packages/client/dist'), dist, (text) =>
    text.replaceAll("'@scriptorium/contracts'", "'./contracts/index.js'"),
  );
  copyBuilt(join(repository, 'packages/contracts/dist'), join(dist, 'contracts'));
  await writeTypes(dist, manifest.version);
  copyFiles(folder, {
    'dist/index.d.ts': 'packages/client/types/index.d.ts',
    'README.md': 'packages/client/README.md',
    LICENSE: 'LICENSE',
    NOTICE: 'NOTICE',
  });
  const { zod } = readJson('packages/contracts/package.json').dependencies;
  return pack(
    folder,
    {
      ...manifest,
      exports: { ...manifest.exports, './package.json': './package.json' },
      // For compilers that do not read `exports`.
      main: './dist/index.js',
      types: './dist/index.d.ts',
      sideEffects: false,
      files: ['dist'],
      engines: readJson('package.json').engines,
      dependencies: { zod: `^${zod}` },
    },
    destination,
  );
}

/** `api.d.ts` has the document, `schemas.d.ts` a name for each of its schemas. */
async function writeTypes(dist, version) {
  mkdirSync(dist, { recursive: true });
  const document = openApiDocument(Object.values(operations), { serverUrl: 'https://docs.example.com', version });
  // A second path of an operation is no second method.
  for (const [path, methods] of Object.entries(document.paths)) {
    const own = Object.entries(methods).filter(([, method]) => method['x-alias-of'] === undefined);
    document.paths[path] = Object.fromEntries(own);
  }
  const syntax = await openapiTS(document, { alphabetize: true, defaultNonNullable: false, silent: true });
  writeFileSync(join(dist, 'api.d.ts'), astToString(syntax));
  const own = readFileSync(join(repository, 'packages/client/types/index.d.ts'), 'utf8');
  const names = Object.keys(document.components.schemas).filter((name) => name !== 'Error');
  const taken = names.find((name) => new RegExp(`^export .*\\b(?:type|interface|class) ${name}\\b`, 'm').test(own));
  if (taken !== undefined) throw new Error(`${taken} is a schema and a type of packages/client/types/index.d.ts`);
  const lines = names.sort().map((name) => `export type ${name} = components['schemas']['${name}'];\n`);
  writeFileSync(join(dist, 'schemas.d.ts'), `import type { components } from './api.js';\n\n${lines.join('')}`);
}
