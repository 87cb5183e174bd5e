import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand, defineCommand } from '../command-line/define.js';
import { folderSettings, moveSettings } from '../settings.js';
import type { MoveOptions } from './move-command.js';

/** Commands that look after the data, of the data folder on this machine or through a running installation. */
export function maintenanceCommands(program: Command): void {
  askingCommand(program, 'rebuild', 'scriptorium rebuild identity', 'scriptorium rebuild identity team_v3 --json')
    .description('build read models again beside the live ones, and compare the contents of both')
    .argument('<service>')
    .argument('[projection]')
    .action(async (service: string, projection: string | undefined, _options: object, command: Command) => {
      const { rebuildCommand } = await import('./rebuild-command.js');
      await rebuildCommand({ service, projection, ...contextOf(command) });
    });
  copyCommands(program);
  defineCommand(program, 'scavenge', { settings: folderSettings, examples: ['scriptorium scavenge'] })
    .description('remove from the files of the embedded servers, running or not, what was deleted')
    .action(async (_options: object, command: Command) => {
      const { scavengeCommand } = await import('./scavenge-command.js');
      await scavengeCommand(contextOf(command));
    });
  askingCommand(
    program,
    'verify',
    'scriptorium verify',
    'scriptorium verify /backups/today',
    'scriptorium verify --content',
  )
    .description('check every record, page and document of the data folder while nothing runs on it, or of a backup')
    .argument('[folder]')
    .option('--content', 'of the running installation, look at what every revision of every space names')
    .action(async (folder: string | undefined, { content = false }: { content?: boolean }, command: Command) => {
      if (content) {
        const { verifyContentCommand } = await import('./verify-content-command.js');
        return verifyContentCommand(contextOf(command));
      }
      const { verifyCommand } = await import('./verify-command.js');
      await verifyCommand({ folder, ...contextOf(command) });
    });
}

function copyCommands(program: Command): void {
  defineCommand(program, 'backup', { settings: folderSettings, examples: ['scriptorium backup /backups/today'] })
    .description('copy the data of the embedded servers, running or not, into an empty folder')
    .argument('<folder>')
    .action(async (folder: string, _options: object, command: Command) => {
      const { backupCommand } = await import('./backup-command.js');
      await backupCommand({ folder, ...contextOf(command) });
    });
  defineCommand(program, 'restore', {
    settings: folderSettings,
    examples: ['DATA_DIR=./restored scriptorium restore /backups/today'],
  })
    .description('make the data folder of a backup; it must be empty or not be there')
    .argument('<folder>')
    .action(async (folder: string, _options: object, command: Command) => {
      const { restoreCommand } = await import('./restore-command.js');
      await restoreCommand({ folder, ...contextOf(command) });
    });
  defineCommand(program, 'move', {
    settings: moveSettings,
    examples: [
      "scriptorium move --to 'esdb://es:2113?tls=false' mongodb://db:27017",
      'EVENTSTORE_URL=esdb://… MONGODB_URL=mongodb://… scriptorium move --to',
      'scriptorium move --to --files s3:our-files',
      'DATA_DIR=./back FILES_STORE=s3:our-files scriptorium move --from --files folder',
    ],
  })
    .description('copy a stopped installation from the embedded servers to real ones, or back, and compare both')
    .option('--to [urls...]', 'EventStoreDB and MongoDB to which the data folder is copied; those of the environment')
    .option(
      '--from [urls...]',
      'EventStoreDB and MongoDB that are copied into the data folder; those of the environment',
    )
    .option('--files <store>', 'where bytes of files are copied to, as FILES_STORE names it; otherwise they stay')
    .option('--json', 'print the answer as JSON, and all else to standard error')
    .action(async (options: MoveOptions, command: Command) => {
      const { moveCommand } = await import('./move-command.js');
      await moveCommand({ ...options, ...contextOf(command) });
    });
}
