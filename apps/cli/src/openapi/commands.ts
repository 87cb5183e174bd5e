import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand, defineCommand } from '../command-line/define.js';
import { organization, type OrganizationOptions } from '../command-line/organization.js';
import type { PublishOptions } from './publish-command.js';

/** Commands about OpenAPI specifications. */
export function openAPICommands(program: Command): void {
  const group = program.command('openapi').description('publish OpenAPI specifications, and look at them');
  askingCommand(group, 'publish', 'scriptorium openapi publish orders orders.yaml --wait')
    .description('give a specification its source, or create it')
    .argument('<slug>')
    .argument('<source>', 'a file, or the public address of one, which is then read again every six hours')
    .option(...organization)
    .option('--visibility <visibility>', 'private or public')
    .option('--wait', 'wait until it is processed; print what was found, and end with 2 when it cannot be read', false)
    .action(async (slug: string, source: string, options: PublishOptions, command: Command) => {
      const { publishCommand } = await import('./publish-command.js');
      await publishCommand({ slug, source, ...options, ...contextOf(command) });
    });
  defineCommand(group, 'check', { settings: {}, examples: ['scriptorium openapi check orders.yaml'] })
    .description(
      'look for problems in a file, without an installation; ends with 2 when it is no specification that can be read, with 1 when there is no file',
    )
    .argument('<file>')
    .action(async (file: string, _options: object, command: Command) => {
      const { checkCommand } = await import('./check-command.js');
      await checkCommand({ file, ...contextOf(command) });
    });
  askingCommand(group, 'changes', 'scriptorium openapi changes orders')
    .description('list what the newest version changes; ends with 3 when something of it can break clients')
    .argument('<slug>')
    .option('--from <version>', 'the version to compare with; the one before unless given')
    .option(...organization)
    .action(async (slug: string, options: OrganizationOptions & { from?: string }, command: Command) => {
      const { changesCommand } = await import('./changes-command.js');
      await changesCommand({ slug, ...options, ...contextOf(command) });
    });
  lookingCommands(group);
}

function lookingCommands(group: Command): void {
  askingCommand(group, 'list', 'scriptorium openapi list --json')
    .description('list the specifications of an organization')
    .option(...organization)
    .action(async (options: OrganizationOptions, command: Command) => {
      const { listCommand } = await import('./show-commands.js');
      await listCommand({ ...options, ...contextOf(command) });
    });
  askingCommand(group, 'show', 'scriptorium openapi show orders')
    .description('show a specification, and what was found in it')
    .argument('<slug>')
    .option(...organization)
    .action(async (slug: string, options: OrganizationOptions, command: Command) => {
      const { showCommand } = await import('./show-commands.js');
      await showCommand({ slug, ...options, ...contextOf(command) });
    });
  askingCommand(group, 'delete', 'scriptorium openapi delete orders')
    .description('delete a specification with all its versions')
    .argument('<slug>')
    .option(...organization)
    .action(async (slug: string, options: OrganizationOptions, command: Command) => {
      const { deleteCommand } = await import('./show-commands.js');
      await deleteCommand({ slug, ...options, ...contextOf(command) });
    });
}
