import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandContext } from '../command-line/context.js';
import { createProgress, type Progress } from '../command-line/progress.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { sitesAddress } from '../installation/sites-address.js';
import { StopError } from '../stop-error.js';
import { loadDemo } from './load-demo.js';
import { title } from './organization.js';

export interface DemoInput extends CommandContext {
  /** The folder of the product. */
  repository: string;
}

/**
 * `scriptorium demo`: loads an organization with people, teams, spaces and pages into the running installation.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function demoCommand({ repository, environment, screen, answer }: DemoInput): Promise<void> {
  if (!existsSync(join(repository, 'docs'))) throw new StopError(`the demo shows the documents in ${repository}/docs`);
  const address = await addressOf(environment);
  let progress: Progress | undefined;
  const begin = (steps: number): Progress => (progress = createProgress(steps, screen));
  const loaded = await loadDemo({ ...address, repository }, begin)
    .finally(() => progress?.end())
    .catch(explain);
  if (loaded === undefined) {
    answer({ loaded: false }, `The organization ${title} is there already. Delete it to load it again.\n`);
    return;
  }
  const { endpoint } = address;
  const sites = await sitesAddress(environment);
  const lines = [
    `The organization ${title} is loaded: ${endpoint}/v1/orgs/${loaded.organization}`,
    ...loaded.spaces.map(
      ({ id, title: name, pages }) => `  ${name}, ${pages} pages: ${endpoint}/v1/spaces/${id}/content/pages`,
    ),
    ...(sites === undefined ? [] : [`Read them as a site: ${sites}${loaded.site}/`]),
  ];
  answer({ loaded: true, ...loaded }, `${lines.join('\n')}\n`);
}
