import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Cleanup } from '../processes/cleanup.js';
import { repositoryFile } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';
import { waitFor } from '../processes/wait-for.js';
import type { ProcessName, Product } from '../product/product.js';
import { summarise, type CpuProfile } from './summary.js';

export interface Profiler {
  /** What the product's environment needs, so that it can be profiled. */
  environment: Record<string, string>;
  /** Profiles a process of the product while `work` runs; keeps the profile in a file and says where time went. */
  during(product: Product, name: string, work: () => Promise<unknown>): Promise<void>;
}

const scripts: Readonly<Record<ProcessName, string>> = {
  gateway: 'apps/gateway/dist/main.js',
  services: 'apps/cli/dist/processes/host.js',
  servers: 'apps/cli/dist/processes/servers.js',
};

const writeWithinMs = 60_000;

/** Profiles one of the three processes. */
export async function createProfiler(
  target: ProcessName,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<Profiler> {
  const folder = await tempFolder(cleanup);
  const preload = pathToFileURL(repositoryFile('bench/dist/profile/preload.js')).href;
  let taken = 0;
  return {
    environment: {
      NODE_OPTIONS: `--import=${preload}`,
      BENCH_PROFILE_SCRIPT: scripts[target],
      BENCH_PROFILE_FOLDER: folder,
    },
    async during(product, name, work) {
      const pid = product.pidOf(target);
      process.kill(pid, 'SIGUSR2');
      await work();
      process.kill(pid, 'SIGUSR2');
      taken += 1;
      const written = join(folder, `${taken}.cpuprofile`);
      await waitFor('the profile', () => existsSync(join(folder, `${taken}.done`)), writeWithinMs);
      const kept = join(tmpdir(), `scriptorium-${name}-${target}-${process.pid}.cpuprofile`);
      await copyFile(written, kept);
      say(`profile of ${target} during ${name}: ${kept}`);
      for (const line of summarise(JSON.parse(await readFile(kept, 'utf8')) as CpuProfile)) say(`  ${line}`);
    },
  };
}
