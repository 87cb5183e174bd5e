import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand, defineCommand } from '../command-line/define.js';
import { folderSettings } from '../settings.js';
import type { TokenOptions } from './token-commands.js';

/** Commands about the person whose token is used. */
export function accountCommands(program: Command): void {
  askingCommand(program, 'whoami', 'scriptorium whoami')
    .description('show whose token is used, and at which installation')
    .action(async (_options: object, command: Command) => {
      const { whoamiCommand } = await import('./whoami-command.js');
      await whoamiCommand(contextOf(command));
    });
  defineCommand(program, 'outbox', {
    settings: { DATA_DIR: folderSettings.DATA_DIR },
    examples: ['scriptorium outbox --to admin@example.com'],
  })
    .description('print the newest mail that was written to the data folder, which happens without SMTP_URL')
    .option('--to <address>', 'only mail to this address')
    .action(async (options: { to?: string }, command: Command) => {
      const { outboxCommand } = await import('./outbox-command.js');
      await outboxCommand({ ...options, ...contextOf(command) });
    });
  tokenCommands(program);
}

function tokenCommands(program: Command): void {
  const group = program
    .command('token')
    .description('create, list and revoke tokens of the person whose token is used');
  askingCommand(group, 'create', 'scriptorium token create "CI" --expires 90d --scopes space:read,space:write')
    .description('create a token, and print it, this once')
    .argument('<label>', 'what it is for')
    .option('--expires <time>', 'until when it works: 90d, 12h, 4w, or a date; for ever unless given')
    .option('--scopes <scopes>', 'what it may be used for, with commas between them; for everything unless given')
    .action(async (label: string, options: TokenOptions, command: Command) => {
      const { createTokenCommand } = await import('./token-commands.js');
      await createTokenCommand({ label, ...options, now: Date.now(), ...contextOf(command) });
    });
  askingCommand(group, 'list', 'scriptorium token list --json')
    .description('list tokens: id, created, last used, expires, scopes, label')
    .action(async (_options: object, command: Command) => {
      const { listTokensCommand } = await import('./token-commands.js');
      await listTokensCommand(contextOf(command));
    });
  askingCommand(group, 'revoke', 'scriptorium token revoke <id>')
    .description('revoke a token: it does not work any more')
    .argument('<id>', 'its id, as it is listed')
    .action(async (id: string, _options: object, command: Command) => {
      const { revokeTokenCommand } = await import('./token-commands.js');
      await revokeTokenCommand({ id, ...contextOf(command) });
    });
}
