import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { sitesAddress } from '../installation/sites-address.js';
import { StopError } from '../stop-error.js';
import { loadDemo } from './load-demo.js';
import { title } from './organization.js';
import { createProgress, type Progress } from './progress.js';

export interface DemoInput {
  /** The folder of the product. */
  repository: string;
  environment: NodeJS.ProcessEnv;
  write: (text: string) => void;
  isTerminal: boolean;
}

/**
 * `scriptorium demo`: loads an organization with people, teams, spaces and pages into the running installation.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function demoCommand({ repository, environment, write, isTerminal }: DemoInput): Promise<void> {
  if (!existsSync(join(repository, 'docs'))) throw new StopError(`the demo shows the documents in ${repository}/docs`);
  const address = await addressOf(environment);
  let progress: Progress | undefined;
  const begin = (steps: number): Progress => (progress = createProgress(steps, write, isTerminal));
  const loaded = await loadDemo({ ...address, repository }, begin)
    .finally(() => progress?.end())
    .catch(explain);
  if (loaded === undefined) {
    write(`The organization ${title} is there already. Delete it to load it again.\n`);
    return;
  }
  const { endpoint } = address;
  write(`The organization ${title} is loaded: ${endpoint}/v1/orgs/${loaded.organization}\n`);
  for (const { id, title: name, pages } of loaded.spaces)
    write(`  ${name}, ${pages} pages: ${endpoint}/v1/spaces/${id}/content/pages\n`);
  const sites = await sitesAddress(environment);
  if (sites !== undefined) write(`Read them as a site: ${sites}${loaded.site}/\n`);
}
