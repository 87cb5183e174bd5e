import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath, startChild, versionOf } from './child-server.mjs';
import { ROOT } from './specs.mjs';

export const VERSION = '1.24.0';
const MODULE = 'github.com/FerretDB/FerretDB';
const BUILD_MS = 360_000;

/**
 * FerretDB 1.24 with its SQLite backend on a free port of loopback: the one that FERRETDB_BINARY names, or one that Go builds once
 * and that is kept below node_modules/.cache. Undefined, with a line that says why, when it cannot be had.
 */
export async function startFerret() {
  const file = process.env['FERRETDB_BINARY'] ?? (await built());
  if (file === undefined) return undefined;
  const server = await startChild({
    file,
    args: (folder) => ['--handler=sqlite', `--sqlite-url=file:${folder}/`, `--state-dir=${folder}`, '--listen-addr=127.0.0.1:0', '--debug-addr=-', '--telemetry=disable', '--log-level=info'],
    url: (_, output) => {
      const port = /Listening on TCP.*127\.0\.0\.1:(\d+)/i.exec(output)?.[1];
      return port === undefined ? undefined : `mongodb://127.0.0.1:${port}/`;
    },
  });
  const [, version = VERSION] = /^version:\s*(\S+)/m.exec(versionOf(file, '--version')) ?? [];
  return { ...server, version };
}

async function built() {
  const folder = join(ROOT, 'node_modules/.cache/ferretdb', VERSION);
  const file = join(folder, 'ferretdb');
  if (existsSync(file)) return file;
  const go = onPath('go');
  if (go === undefined) {
    console.log('FerretDB: left out, there is no Go to build it with (go.dev/dl, or FERRETDB_BINARY)');
    return undefined;
  }
  console.log(`FerretDB: building ${VERSION}, at most ${BUILD_MS / 60_000} minutes`);
  await mkdir(folder, { recursive: true });
  // A module that requires this one version needs less of a module proxy than `go install`, which also asks for the list of all.
  await writeFile(join(folder, 'go.mod'), `module build\n\ngo 1.22\n\nrequire ${MODULE} v${VERSION}\n`);
  await writeFile(join(folder, 'build.go'), `//go:build build\n\npackage build\n\nimport _ "${MODULE}/cmd/ferretdb"\n`);
  try {
    await promisify(execFile)(go, ['build', '-mod=mod', '-o', `${file}.new`, `${MODULE}/cmd/ferretdb`], { cwd: folder, timeout: BUILD_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 24 });
    await rename(`${file}.new`, file);
    return file;
  } catch (error) {
    console.log(`FerretDB: left out, Go did not build it: ${error.killed ? 'not in time' : String(error.stderr).trim().split('\n').slice(-3).join(' ')}`);
    return undefined;
  }
}
