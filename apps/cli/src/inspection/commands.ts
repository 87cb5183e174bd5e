import type { Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand, defineCommand } from '../command-line/define.js';
import { startSettings } from '../settings.js';

/** Commands that tell whether an installation is well. */
export function inspectionCommands(program: Command): void {
  askingCommand(program, 'status', 'scriptorium status', 'scriptorium status --url https://docs-api.example.com --json')
    .description(
      'show what runs: of this machine every process with its port, or of an address the version; ends with 1 when something is not ready',
    )
    .action(async (_options: object, command: Command) => {
      const { statusCommand } = await import('./status-command.js');
      await statusCommand(contextOf(command));
    });
  defineCommand(program, 'doctor', {
    settings: startSettings,
    examples: ['scriptorium doctor', 'scriptorium doctor --json'],
  })
    .description('check this machine and its settings, one line for each check; ends with 1 when one fails')
    .option('--json', 'print each check as a line of JSON')
    .action(async (_options: object, command: Command) => {
      const { doctorCommand } = await import('./doctor-command.js');
      await doctorCommand(contextOf(command));
    });
}
