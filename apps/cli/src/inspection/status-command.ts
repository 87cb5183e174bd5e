import { getApiInformation, callOperation } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { endpointOf } from '../installation/address.js';
import { filesOf } from '../installation/data-folder.js';
import { explain } from '../installation/explain.js';
import { readRunFile, type RunFile } from '../installation/run-file.js';
import { readAddressSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { problemOf, urlHost } from '../supervisor/readiness.js';

/** A process, and why it is not ready. */
interface ProcessStatus {
  name: string;
  ready: boolean;
  problem?: string;
  /** Its admin address. */
  admin: string;
  since?: string;
}

const withinMs = 5_000;

/**
 * `scriptorium status`: what runs, of the address that is set, or of the data folder.
 * @throws ConfigError for an invalid setting; StopError when nothing runs, or something is not ready
 */
export async function statusCommand(context: CommandContext): Promise<void> {
  const { DATA_DIR, SCRIPTORIUM_URL } = readAddressSettings(context.environment);
  if (SCRIPTORIUM_URL !== undefined) return remoteStatus(endpointOf(SCRIPTORIUM_URL), context);
  const { path, run: file } = filesOf(DATA_DIR);
  const run = await readRunFile(file);
  if (run === undefined) throw new StopError(`nothing runs on ${path}, or it is still starting`);
  await localStatus(run, context);
}

async function remoteStatus(endpoint: string, { answer }: CommandContext): Promise<void> {
  const found = await callOperation({ endpoint, timeoutMs: withinMs }, getApiInformation, {}).catch(explain);
  const information = getApiInformation.response.safeParse(found);
  if (!information.success) throw new StopError(`${endpoint} is no installation of Scriptorium`);
  const { version, build } = information.data;
  const problem = await problemOf(`${endpoint}/readyz`, AbortSignal.timeout(withinMs));
  const state = problem === undefined ? 'ready' : 'not ready';
  answer(
    { endpoint, version, build, ready: problem === undefined },
    `Scriptorium ${version} (${build}) at ${endpoint}: ${state}\n`,
  );
  if (problem !== undefined) throw new StopError(`${endpoint} is not ready`);
}

async function localStatus(run: RunFile, { answer }: CommandContext): Promise<void> {
  const { pid, version, endpoint, adminPorts } = run;
  const host = urlHost(run.environment['ADMIN_HOST'] ?? '127.0.0.1');
  const processes = await Promise.all(
    Object.entries(adminPorts).map(([name, port]) => processStatus(name, `${host}:${port}`)),
  );
  const notReady = processes.filter(({ ready }) => !ready).map(({ name }) => name);
  const width = Math.max(...processes.map(({ name }) => name.length));
  const lines = processes.map(
    ({ name, ready, problem = '', admin, since = 'unknown' }) =>
      `  ${name.padEnd(width)}  ${ready ? 'ready' : `not ready (${problem})`}  admin ${admin}  since ${since}\n`,
  );
  answer(
    { endpoint, version, pid, ready: notReady.length === 0, processes },
    `Scriptorium ${version} at ${endpoint}, process ${pid}\n${lines.join('')}`,
  );
  if (notReady.length > 0) throw new StopError(`not ready: ${notReady.join(', ')}`);
}

async function processStatus(name: string, admin: string): Promise<ProcessStatus> {
  const signal = AbortSignal.timeout(withinMs);
  const problem = await problemOf(`http://${admin}/readyz`, signal);
  const since = await startOf(admin, signal);
  return {
    name,
    ready: problem === undefined,
    ...(problem !== undefined && { problem }),
    admin,
    ...(since !== undefined && { since }),
  };
}

/** When a process began, as its metrics tell. */
async function startOf(admin: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(`http://${admin}/metrics`, { signal }).catch(() => undefined);
  const text = (await answer?.text().catch(() => '')) ?? '';
  const [, seconds] = /^process_start_time_seconds(?:\{.*\})? (\S+)$/m.exec(text) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1_000).toISOString();
}
