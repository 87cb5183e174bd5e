import { existsSync } from 'node:fs';
import * as z from 'zod';
import type { CommandContext } from '../command-line/context.js';
import { whileWorking } from '../command-line/progress.js';
import { filesOf } from '../installation/data-folder.js';
import { onStores } from '../processes/on-stores.js';
import { scavengeStores } from '../processes/servers-scavenge.js';
import { readFolderSettings } from '../settings.js';
import { StopError } from '../stop-error.js';

const Scavenged = z.object({ events: z.int(), bytesFreed: z.int() });

/**
 * `scriptorium scavenge`: removes deleted data from the files of the embedded servers, running or not.
 * @throws ConfigError for an invalid setting; StopError when there is no data or it cannot be done
 */
export async function scavengeCommand({ environment, screen, write }: CommandContext): Promise<void> {
  const files = filesOf(readFolderSettings(environment).DATA_DIR);
  if (!existsSync(files.format)) throw new StopError(`there is nothing to scavenge in ${files.path}`);
  const { events, bytesFreed } = await whileWorking(screen, 'removing what was deleted', () =>
    onStores(files.path, {
      running: (ask) => ask('scavenge', '', Scavenged),
      stopped: (stores) => scavengeStores(stores),
    }),
  );
  write(`${files.path}: ${events} events removed, ${Math.max(0, bytesFreed)} bytes freed\n`);
}
