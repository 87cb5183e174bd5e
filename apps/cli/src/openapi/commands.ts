import type { Command } from 'commander';
import { organization, type CommandProcess } from '../organization-commands.js';
import type { PublishOptions } from './publish-command.js';

/** Commands about OpenAPI specifications. */
export function openAPICommands(command: Command, { loadSettings, write }: CommandProcess): void {
  const group = command.command('openapi').description('publish OpenAPI specifications, and look at them');
  const environment = process.env;
  group
    .command('publish')
    .description('give a specification its source, or create it')
    .argument('<slug>')
    .argument('<source>', 'a file, or the public address of one, which is then read again every six hours')
    .option(...organization)
    .option('--visibility <visibility>', 'private or public')
    .option('--wait', 'wait until it is processed; print what was found, and end with 2 when it cannot be read', false)
    .action(async (slug: string, source: string, options: PublishOptions) => {
      loadSettings();
      const { publishCommand } = await import('./publish-command.js');
      await publishCommand({ slug, source, ...options, environment, write });
    });
  group
    .command('check')
    .description(
      'look for problems in a file, without an installation; ends with 2 when it is no specification that can be read, with 1 when there is no file',
    )
    .argument('<file>')
    .action(async (file: string) => {
      const { checkCommand } = await import('./check-command.js');
      await checkCommand({ file, write });
    });
  group
    .command('changes')
    .description('list what the newest version changes; ends with 3 when something of it can break clients')
    .argument('<slug>')
    .option('--from <version>', 'the version to compare with; the one before unless given')
    .option(...organization)
    .action(async (slug: string, options: { from?: string; organization?: string }) => {
      loadSettings();
      const { changesCommand } = await import('./changes-command.js');
      await changesCommand({ slug, ...options, environment, write });
    });
  lookingCommands(group, { loadSettings, write });
}

function lookingCommands(group: Command, { loadSettings, write }: CommandProcess): void {
  const environment = process.env;
  group
    .command('list')
    .description('list the specifications of an organization')
    .option(...organization)
    .action(async (options: { organization?: string }) => {
      loadSettings();
      const { listCommand } = await import('./show-commands.js');
      await listCommand({ ...options, environment, write });
    });
  group
    .command('show')
    .description('show a specification, and what was found in it')
    .argument('<slug>')
    .option(...organization)
    .action(async (slug: string, options: { organization?: string }) => {
      loadSettings();
      const { showCommand } = await import('./show-commands.js');
      await showCommand({ slug, ...options, environment, write });
    });
  group
    .command('delete')
    .description('delete a specification with all its versions')
    .argument('<slug>')
    .option(...organization)
    .action(async (slug: string, options: { organization?: string }) => {
      loadSettings();
      const { deleteCommand } = await import('./show-commands.js');
      await deleteCommand({ slug, ...options, environment, write });
    });
}
