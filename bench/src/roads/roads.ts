import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Cleanup } from '../processes/cleanup.js';
import { repositoryFile } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';
import { waitFor } from '../processes/wait-for.js';
import type { LoadRequest } from '../load/model.js';
import { startProduct, type Product } from '../product/product.js';
import { inTurns, numbersTo, seed } from '../product/seed.js';
import { mergeOf } from '../scenarios/change-requests.js';
import { editOf } from '../scenarios/content.js';
import { createSpace } from '../scenarios/library.js';
import type { Calls } from './called.js';

/** The requests whose roads are counted. */
export const roadNames = ['PATCH team', 'GET team', 'POST content', 'merge', 'urls/published', 'GET page'] as const;
export type RoadName = (typeof roadNames)[number];

/** The files of this repository that each request of a kind runs through, in the order of their names. */
export type Roads = Record<RoadName, string[]>;

const requests = 40;
const warmUps = 5;
const processes = ['gateway', 'services'] as const;
const writtenWithinMs = 30_000;
/** For so long is counted what the product does by itself, ms. */
const idleMs = 2_000;

/** Calls of a process in some time. */
interface Window {
  calls: Calls;
  ms: number;
}

/** Starts the product and finds the files that six kinds of requests run through, by V8's coverage. */
export async function findRoads(cleanup: Cleanup): Promise<Roads> {
  const folder = await tempFolder(cleanup);
  const product = await startProduct(cleanup, {
    NODE_OPTIONS: `--import=${pathToFileURL(repositoryFile('bench/dist/roads/preload.js')).href}`,
    BENCH_ROADS_FOLDER: folder,
  });
  const asked = await requestsOf(product);
  const count = createCounter(product, folder);
  const found: Partial<Roads> = {};
  for (const name of roadNames) {
    for (const request of asked[name].slice(0, warmUps)) await send(product, request);
    const idle = await count(() => delay(idleMs));
    const busy = await count(async () => {
      for (const request of asked[name].slice(warmUps)) await send(product, request);
    });
    found[name] = [...new Set(busy.flatMap((window, index) => filesOf(window, idle[index])))].sort();
  }
  return found as Roads;
}

/** Counts calls of each process while something is done. */
function createCounter(product: Product, folder: string): (work: () => Promise<void>) => Promise<Window[]> {
  const pids = processes.map((name) => product.pidOf(name));
  let taken = 0;
  const take = async (): Promise<Calls[]> => {
    taken += 1;
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    const files = pids.map((pid) => join(folder, `${pid}-${taken}.json`));
    await waitFor('coverage', () => files.every((file) => existsSync(`${file}.done`)), writtenWithinMs);
    return Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Calls));
  };
  return async (work) => {
    await take();
    const began = performance.now();
    await work();
    const ms = performance.now() - began;
    return (await take()).map((calls) => ({ calls, ms }));
  };
}

/**
 * The files of which a function was called for each request. What the product calls by itself it calls at most twice as
 * often meanwhile.
 */
function filesOf({ calls, ms }: Window, idle: Window | undefined): string[] {
  const share = (2 * ms) / (idle?.ms ?? ms);
  return Object.keys(calls).filter((file) =>
    Object.entries(calls[file] ?? {}).some(
      ([begin, count]) => count - share * (idle?.calls[file]?.[begin] ?? 0) > 0.75 * requests,
    ),
  );
}

async function send({ endpoint, token }: Product, { method, path, body }: LoadRequest): Promise<void> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const response = await fetch(new URL(path, endpoint), { method, headers, body: body ?? null });
  await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
}

/** For each kind, requests none of which repeats another one. */
async function requestsOf(product: Product): Promise<Record<RoadName, readonly LoadRequest[]>> {
  const numbers = numbersTo(warmUps + requests);
  const { client, organization, teams } = await seed(product, { members: 1, teams: numbers.length });
  const space = await createSpace({ client, organization, members: [], teams: [] }, 'Walked', numbers.length, 1_000);
  const params = { organizationId: organization };
  const { id: siteId } = await client.createSite({ params, body: { title: 'Walked', spaces: [space.id] } });
  const { urls } = await client.publishSite({ params: { ...params, siteId } });
  const teamPath = (index: number) => `/v1/orgs/${organization}/teams/${teams[index] ?? ''}`;
  const merges = await inTurns(numbers, (index) =>
    mergeOf({ client, organization, members: [], teams: [] }, space, index),
  );
  return {
    'PATCH team': numbers.map((index) => ({
      method: 'PATCH',
      path: teamPath(0),
      body: JSON.stringify({ title: `Renamed ${index}` }),
    })),
    'GET team': numbers.map((index) => ({ method: 'GET', path: teamPath(index) })),
    'POST content': numbers.map((index) => editOf({ ...space, pages: [space.pages[index] ?? ''] }, `walked ${index}`)),
    merge: merges,
    'urls/published': space.pages.map((_, index) => ({
      method: 'POST',
      path: '/v1/urls/published',
      body: JSON.stringify({ url: `${urls.published ?? ''}page-${index}` }),
    })),
    'GET page': space.pages.map((page) => ({
      method: 'GET',
      path: `/v1/spaces/${space.id}/content/page/${page}?format=document`,
    })),
  };
}
