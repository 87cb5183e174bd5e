// Writes `dist` of the workspace in whose folder it runs: every source but specs as JavaScript, file by file and
// without looking at types, so that a first start takes seconds. It is the compiler of the full build, and what it
// writes is the same. Folders named `test` come along: specs run some of their files as processes. Markdown is copied:
// programs read it beside their own file.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const isSource = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.endsWith('.spec.ts');
const isText = (path) => /\.(md|typ|conf)$/.test(path);
const outputs = /(\.js|\.js\.map|\.d\.ts|\.d\.ts\.map)$/;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  resolve('.'),
);
// A single file does not know its package.json; every workspace here is of ES modules.
const compilerOptions = {
  ...options,
  noEmit: false,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
const sources = filesOf('src').filter(isSource);
const texts = filesOf('src').filter(isText);
for (const source of sources) write(source);
for (const text of texts) copy(text);
removeOrphans(new Set([...sources.map((source) => source.slice(0, -'.ts'.length)), ...texts]));

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function write(source) {
  const from = join('src', source);
  const to = join('dist', source.replace(/\.ts$/, '.js'));
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(from, 'utf8'), {
    compilerOptions,
    fileName: resolve(from),
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) {
    process.stderr.write(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => resolve('.'),
        getNewLine: () => '\n',
      }),
    );
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(`${to}.map`, sourceMapText);
  writeFileSync(to, outputText);
}

function copy(text) {
  const to = join('dist', text);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join('src', text), to);
}

/** What was made of a source that is gone would still be found by its name. */
function removeOrphans(kept) {
  for (const file of filesOf('dist')) {
    if ((outputs.test(file) || isText(file)) && !kept.has(file.replace(outputs, ''))) rmSync(join('dist', file));
  }
}
