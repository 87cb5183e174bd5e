import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath, startChild } from '../child-server.mjs';
import { ROOT } from '../specs.mjs';

const VERSION = 'v1.24.0';
const BUILD_MS = 360_000;

/**
 * FerretDB 1.24 with its SQLite backend on a free port of loopback. Go builds it once, below node_modules/.cache.
 * Undefined, with a line that says why, when it cannot be had.
 */
export async function startFerret() {
  const file = await built();
  if (file === undefined) return undefined;
  let version = VERSION;
  const server = await startChild({
    file,
    args: (folder) => [folder],
    url: (_, output) => {
      const [, said, url] = /^FerretDB (\S+) listens on (\S+)\n/m.exec(output) ?? [];
      version = said ?? version;
      return url;
    },
  });
  return { ...server, version };
}

async function built() {
  const source = await readFile(new URL('main.go', import.meta.url));
  const folder = join(
    ROOT,
    'node_modules/.cache/ferretdb',
    `${VERSION}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`,
  );
  const file = join(folder, 'ferretdb');
  if (existsSync(file)) return file;
  const go = onPath('go');
  if (go === undefined) {
    console.log('FerretDB: left out, it is built by Go, which is not on the PATH (https://go.dev/dl)');
    return undefined;
  }
  console.log(`FerretDB: building ${VERSION} once, at most ${BUILD_MS / 60_000} minutes`);
  await mkdir(folder, { recursive: true });
  // With this file the module proxy is asked for this one version, not for the list of all.
  await writeFile(
    join(folder, 'go.mod'),
    `module ferretdb\n\ngo 1.22\n\nrequire github.com/FerretDB/FerretDB ${VERSION}\n`,
  );
  await writeFile(join(folder, 'main.go'), source);
  try {
    await promisify(execFile)(go, ['build', '-mod=mod', '-o', `${file}.new`, '.'], {
      cwd: folder,
      timeout: BUILD_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 24,
    });
    await rename(`${file}.new`, file);
    return file;
  } catch (error) {
    console.log(
      `FerretDB: left out, Go did not build it${error.killed ? ' in time' : ''}: ${String(error.stderr).trim().split('\n').slice(-3).join(' ')}`,
    );
    return undefined;
  }
}
