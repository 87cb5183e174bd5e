import { join } from 'node:path';
import { readAddressSettings } from '../settings.js';
import { readRunFile } from './run-file.js';

/**
 * The address below which the installation of this machine shows sites by their ids; `undefined` when it shows none.
 */
export async function sitesAddress(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const run = await readRunFile(join(readAddressSettings(environment).DATA_DIR, 'run.json'));
  const origin = run?.environment['CONTENT_ORIGIN'];
  return run?.adminPorts['reader'] === undefined || origin === undefined ? undefined : `${origin}/~site/`;
}
