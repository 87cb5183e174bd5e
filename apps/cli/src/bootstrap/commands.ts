import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand, defineCommand } from '../command-line/define.js';
import { productFolder } from '../product-folder.js';
import { bootstrapSettings } from '../settings.js';

/** Commands that fill a new installation. */
export function installationCommands(program: Command): void {
  defineCommand(program, 'bootstrap', {
    settings: bootstrapSettings,
    examples: ['NATS_URL=nats://127.0.0.1:4222 FIRST_USER_EMAIL=ann@example.org scriptorium bootstrap'],
  })
    .description('create the first user, organization and token of an installation; prints the token')
    .action(async (_options: object, command: Command) => {
      const { bootstrapCommand } = await import('./command.js');
      await bootstrapCommand(contextOf(command).environment);
    });
  askingCommand(program, 'demo', 'scriptorium demo')
    .description('load an organization with people, teams, spaces and pages to look at')
    .action(async (_options: object, command: Command) => {
      const { demoCommand } = await import('../demo/demo-command.js');
      await demoCommand({ repository: productFolder, ...contextOf(command) });
    });
}
