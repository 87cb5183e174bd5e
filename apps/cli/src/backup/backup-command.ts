import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { request } from 'node:http';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import * as z from 'zod';
import { filesOf } from '../installation/data-folder.js';
import { claimFolder, currentFormat } from '../installation/format.js';
import { isAlive } from '../installation/live-process.js';
import { jsonText, readJson, readText, writePrivate } from '../installation/private-file.js';
import { backupStores, type StoresBackup } from '../processes/servers-backup.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import { checkStores } from './check-stores.js';
import { sizeOf, writeManifest } from './manifest.js';

export interface FolderInput {
  folder: string;
  environment: NodeJS.ProcessEnv;
  write: (text: string) => void;
}

const ServersFile = z.object({ pid: z.int(), pidStart: z.string().optional(), port: z.int(), secret: z.string() });

/**
 * `scriptorium backup`: copies the data of the embedded servers, running or not, with the keyring into an empty folder,
 * checks the copy and notes the hash of every file. What was acknowledged before it began is in it.
 * @throws ConfigError for a bad setting, StopError when the folder is not empty, there is no data, or the data is damaged.
 */
export async function backupCommand({ folder, environment, write }: FolderInput): Promise<void> {
  const files = filesOf(readFolderSettings(environment).DATA_DIR);
  if (!existsSync(files.format)) throw new StopError(`there is nothing to back up in ${files.path}`);
  const target = resolve(folder);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new StopError(`${target} is not empty; name a new folder`);
  try {
    const { position } = await copyStores(files, target);
    await copyPrivate(files, target);
    const { sound, lines } = await checkStores(target);
    if (!sound) throw new StopError(`the data is damaged, and no backup was made:\n${lines.join('\n')}`);
    const manifest = await writeManifest(target, { version, position });
    write(`${target}: ${Object.keys(manifest.files).length} files, ${sizeOf(manifest)} bytes${position === undefined ? '' : `, events up to position ${position}`}\n`);
    if (!existsSync(files.secretKeys)) write('SECRET_KEYS was set by you and is not part of it: keep it yourself\n');
  } catch (error) {
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
    throw error;
  }
}

/** By the running servers when there are any, else from the folder, which nobody may open meanwhile. */
async function copyStores(files: ReturnType<typeof filesOf>, target: string): Promise<StoresBackup> {
  const running = ServersFile.safeParse(await readJson(files.servers).catch(() => undefined));
  if (running.success && isAlive(running.data.pid, running.data.pidStart)) return askServers(running.data, target);
  const claim = await claimFolder(files.path, version);
  try {
    return await copyStopped(files.path, target);
  } finally {
    await claim.release();
  }
}

async function copyStopped(path: string, target: string): Promise<StoresBackup> {
  const has = (name: string) => existsSync(join(path, name));
  const eventstore = has('eventstore') ? await startEventStoreServer({ dataDir: join(path, 'eventstore') }) : undefined;
  try {
    const mongodb = has('mongodb') ? await startMongoServer({ dataDir: join(path, 'mongodb') }) : undefined;
    try {
      return await backupStores({ eventstore, mongodb }, target);
    } finally {
      await mongodb?.stop();
    }
  } finally {
    await eventstore?.stop();
  }
}

/** Node's own client: a large copy takes longer than `fetch` waits for the head of an answer. */
async function askServers({ port, secret }: z.output<typeof ServersFile>, target: string): Promise<StoresBackup> {
  const body = await new Promise<string>((done, failed) => {
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path: '/backup', agent: false, headers: { authorization: `Bearer ${secret}` } });
    asked.once('error', (error) => failed(new StopError(`the running servers could not make the backup: ${error.message}`, error)));
    asked.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(0, 10_000)));
      response.once('error', failed).once('end', () => done(text));
    });
    asked.end(target);
  });
  const { error, position } = z.object({ error: z.string().optional(), position: z.int().optional() }).parse(JSON.parse(body));
  if (error !== undefined) throw new StopError(`the running servers could not make the backup: ${error}`);
  return position === undefined ? {} : { position };
}

async function copyPrivate(files: ReturnType<typeof filesOf>, target: string): Promise<void> {
  for (const name of ['secretKeys', 'firstRun'] as const) {
    const text = await readText(files[name]);
    if (text !== undefined) await writePrivate(filesOf(target)[name], text);
  }
  await writePrivate(filesOf(target).format, jsonText({ format: currentFormat, version }));
}
