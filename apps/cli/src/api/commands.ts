import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import type { APIOptions } from './api-command.js';

/** The command that calls any operation of a running installation. */
export function apiCommands(program: Command): void {
  askingCommand(
    program,
    'api',
    'scriptorium api GET /user',
    `scriptorium api POST /orgs/<id>/spaces --data '{"title":"Handbook"}' --pick id`,
  )
    .description('call an operation of the API, and print its answer')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'the path behind /v1, with its query')
    .option('--data <json>', 'the body: JSON, or @ and the name of a file that has it')
    .option('--pick <field>', 'print this field of the answer alone, as text; dots lead into it: urls.published')
    .action(async (method: string, path: string, options: APIOptions, command: Command) => {
      const { apiCommand } = await import('./api-command.js');
      await apiCommand({ method, path, ...options, ...contextOf(command) });
    });
}
