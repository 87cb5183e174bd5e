import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const { resolve } = createRequire(import.meta.url);

/**
 * A script as authors publish it: one ES module that has the official runtime of integrations in it. `source` is the
 * body of a function that gets the exports of that runtime and returns what `createIntegration` made.
 */
export function officialScript(source: string): string {
  return `${(bundled ??= bundle())}
export default (function (runtime) {
${source}
})(load('./index'));
`;
}

let bundled: string | undefined;

/** All modules as functions, by the names under which they import each other. */
function bundle(): string {
  const folder = dirname(resolve('@gitbook/runtime/jsx-runtime'));
  const own = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  const modules = own.map((name) => moduleOf(`./${name.slice(0, -'.ts'.length)}`, compiled(join(folder, name))));
  const api = moduleOf('@gitbook/api', readFileSync(resolve('@gitbook/api'), 'utf8'));
  return `const MODE = 'production';
const modules = {
${[...modules, api].join(',\n')}
};
const loaded = {};
function load(name) {
  if (name in loaded) return loaded[name].exports;
  const module = (loaded[name] = { exports: {} });
  modules[name](module, module.exports, load);
  return module.exports;
}`;
}

function moduleOf(name: string, code: string): string {
  return `${JSON.stringify(name)}: function (module, exports, require) {\n${code}\n}`;
}

function compiled(path: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, isolatedModules: true };
  return ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions }).outputText;
}
