import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { isAlive, startMark } from './live-process.js';
import { jsonText, readJson, writePrivate } from './private-file.js';

const RunFile = z.object({
  pid: z.int(),
  pidStart: z.string().optional(),
  version: z.string(),
  /** Address of the gateway. */
  endpoint: z.string(),
  /** Where the supervisor takes orders, and the secret that shows who may give them. */
  control: z.object({ port: z.int(), secret: z.string() }),
  /** Port of metrics and readiness details of each process. */
  adminPorts: z.record(z.string(), z.int()),
  /** What a service of this installation needs in its environment. Holds the keyring: the file is private. */
  environment: z.record(z.string(), z.string()),
});

/** How to join the installation that runs on a data folder. */
export type RunFile = z.output<typeof RunFile>;

export async function writeRunFile(path: string, run: Omit<RunFile, 'pid' | 'pidStart'>): Promise<void> {
  await writePrivate(path, jsonText({ pid: process.pid, pidStart: startMark(process.pid), ...run }));
}

/** The installation that runs now; undefined when none does. */
export async function readRunFile(path: string): Promise<RunFile | undefined> {
  const found = RunFile.safeParse(await readJson(path));
  return found.success && isAlive(found.data.pid, found.data.pidStart) ? found.data : undefined;
}

export async function removeRunFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
