import { sep } from 'node:path';
import type { Command } from 'commander';
import { loadDotEnv } from '../command-line/context.js';
import { defineCommand } from '../command-line/define.js';
import { productFolder } from '../product-folder.js';
import { folderSettings, startSettings } from '../settings.js';

/** Commands that run the product, or a part of it, until they are told to end. */
export function startCommands(program: Command, listening: () => void): void {
  defineCommand(program, 'start', {
    settings: startSettings,
    examples: ['scriptorium start', 'PORT=8090 DATA_DIR=/var/lib/scriptorium scriptorium start'],
  })
    .description('start everything on this machine; named services only, when there are any')
    .argument('[service...]')
    .option('--isolated', 'one process for each service', false)
    .action(async (services: string[], { isolated }: { isolated: boolean }) => {
      loadDotEnv();
      const { start } = await import('./start.js');
      await start({ services, isolated, environment: process.env, ended: untilSignal(listening) });
    });
  defineCommand(program, 'dev', {
    settings: { DATA_DIR: folderSettings.DATA_DIR },
    examples: ['scriptorium dev identity'],
  })
    .description('run one service of the running installation from its sources, started again on each change')
    .argument('<service>')
    .action(async (service: string) => {
      // npm runs scripts of a workspace in the folder of that workspace, but the user started the command in the
      // product's folder.
      if (process.cwd().startsWith(productFolder.endsWith(sep) ? productFolder : productFolder + sep))
        process.chdir(productFolder);
      loadDotEnv();
      const { dev } = await import('../dev/dev.js');
      const { readFolderSettings } = await import('../settings.js');
      await dev({
        service,
        dataFolder: readFolderSettings(process.env).DATA_DIR,
        environment: process.env,
        ended: untilSignal(listening),
      });
    });
}

function untilSignal(listening: () => void): Promise<string> {
  return new Promise((resolve) => {
    // These listeners stay: npm repeats a signal that the terminal has sent to all processes, and the second one must
    // not kill.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    listening();
  });
}
