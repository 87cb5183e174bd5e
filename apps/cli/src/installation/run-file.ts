import { rm } from 'node:fs/promises';
import { isAlive, startMark } from '@scriptorium/embedded/live-process';
import * as z from 'zod';
import { jsonText, readJson, writePrivate } from './private-file.js';

const RunFile = z.object({
  pid: z.int(),
  pidStart: z.string().optional(),
  version: z.string(),
  /** The address of the gateway. */
  endpoint: z.string(),
  /** The port on which the supervisor accepts orders, and the secret that they need. */
  control: z.object({ port: z.int(), secret: z.string() }),
  /** The admin port of each process, with metrics and readiness details. */
  adminPorts: z.record(z.string(), z.int()),
  /** The environment of a service of this installation. It contains the keyring, so the file is private. */
  environment: z.record(z.string(), z.string()),
});

/** How other processes reach the installation that uses a data folder. */
export type RunFile = z.output<typeof RunFile>;

export async function writeRunFile(path: string, run: Omit<RunFile, 'pid' | 'pidStart'>): Promise<void> {
  await writePrivate(path, jsonText({ pid: process.pid, pidStart: startMark(process.pid), ...run }));
}

/** The running installation; undefined if there is none. */
export async function readRunFile(path: string): Promise<RunFile | undefined> {
  const found = RunFile.safeParse(await readJson(path));
  return found.success && isAlive(found.data.pid, found.data.pidStart) ? found.data : undefined;
}

export async function removeRunFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
