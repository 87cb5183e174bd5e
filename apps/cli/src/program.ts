import { Command } from 'commander';
import { accountCommands } from './account/commands.js';
import { apiCommands } from './api/commands.js';
import { auditCommands } from './audit/commands.js';
import { installationCommands } from './bootstrap/commands.js';
import { changeRequestCommands } from './change-requests/commands.js';
import { completionCommand } from './command-line/commands.js';
import { optionsInOrder } from './command-line/define.js';
import { conversationCommands } from './conversations/commands.js';
import { maintenanceCommands } from './maintenance/commands.js';
import { inspectionCommands } from './inspection/commands.js';
import { openAPICommands } from './openapi/commands.js';
import { startCommands } from './start/commands.js';
import { contentCommands } from './transfer/commands.js';
import { translationCommands } from './translations/commands.js';
import { version } from './version.js';

/**
 * The table of all commands. `listening` is called when a command itself handles signals; `complain` gets what is said
 * of arguments that are not valid.
 */
export function createProgram(listening: () => void, complain: (text: string) => void): Command {
  const program = new Command('scriptorium')
    .description('A management API for documentation platforms, on your own machine.')
    .version(version)
    .configureHelp({ visibleOptions: optionsInOrder })
    .configureOutput({ writeErr: complain });
  startCommands(program, listening);
  installationCommands(program);
  inspectionCommands(program);
  accountCommands(program);
  apiCommands(program);
  auditCommands(program);
  contentCommands(program);
  changeRequestCommands(program);
  openAPICommands(program);
  conversationCommands(program);
  translationCommands(program);
  maintenanceCommands(program);
  completionCommand(program);
  return program;
}
