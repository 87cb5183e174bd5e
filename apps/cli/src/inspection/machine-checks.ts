import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { portProblem } from '@scriptorium/embedded/free-port';
import type { RunFile } from '../installation/run-file.js';
import type { StartSettings } from '../settings.js';
import { failed, passed, type Check } from './check.js';

const GiB = 1024 ** 3;
const leastFree = GiB;
const oldest = [20, 19] as const;

/** Whether Node is new enough. */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  return isNew ? passed('node', version) : failed('node', version, `install Node ${oldest.join('.')} or newer`);
}

/** Whether the data folder is private, and has room. It need not exist yet. */
export async function folderChecks(path: string): Promise<Check[]> {
  const found = await stat(path).catch(() => undefined);
  const isPrivate = found === undefined || (found.mode & 0o077) === 0;
  return [
    isPrivate
      ? passed('data folder', found === undefined ? `${path}, which the first start makes` : path)
      : failed('data folder', `other users can open ${path}`, `chmod 700 ${path}`),
    await diskCheck(path),
  ];
}

async function diskCheck(path: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(await existing(path));
    const free = bavail * bsize;
    const detail = `${(free / GiB).toFixed(1)} GiB free for ${path}`;
    return free >= leastFree ? passed('disk', detail) : failed('disk', detail, 'make room, or set DATA_DIR elsewhere');
  } catch (error) {
    return failed('disk', (error as Error).message, 'set DATA_DIR to a folder that can be read');
  }
}

/** The folder, or the nearest one above it that exists. */
async function existing(path: string): Promise<string> {
  if (dirname(path) === path || (await stat(path).catch(() => undefined)) !== undefined) return path;
  return existing(dirname(path));
}

/** Whether the ports that are set are free. Those of the running installation are taken by itself. */
export async function portsCheck(settings: StartSettings, run: RunFile | undefined): Promise<Check> {
  if (run !== undefined) return passed('ports', `the running installation is at ${run.endpoint}`);
  const { HOST, PORT, CONTENT_PORT, INTEGRATIONS_PORT } = settings;
  const taken: string[] = [];
  for (const [name, port] of Object.entries({ PORT, CONTENT_PORT, INTEGRATIONS_PORT })) {
    if (port === undefined || port === 0) continue;
    const problem = await portProblem(HOST, port);
    if (problem !== undefined) taken.push(`${name} ${port} of ${HOST} (${problem})`);
  }
  if (taken.length === 0) return passed('ports', `${PORT} of ${HOST} is free`);
  return failed('ports', `cannot be opened: ${taken.join(', ')}`, 'end what uses it, or set another port or HOST');
}
