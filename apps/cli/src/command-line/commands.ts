import type { Command } from 'commander';
import { StopError } from '../stop-error.js';
import { completionScript, shells, type Shell } from './completion.js';
import { defineCommand } from './define.js';

/** The command that prints how shells complete all commands of `program`. */
export function completionCommand(program: Command): void {
  defineCommand(program, 'completion', {
    settings: {},
    examples: [
      'source <(scriptorium completion bash)',
      'source <(scriptorium completion zsh)',
      'scriptorium completion fish > ~/.config/fish/completions/scriptorium.fish',
    ],
  })
    .description('print the script with which a shell completes commands and options')
    .argument('<shell>', shells.join(', '))
    .action((shell: string) => {
      if (!isShell(shell))
        throw new StopError(`there is no completion for ${shell}; there is for ${shells.join(', ')}`);
      process.stdout.write(completionScript(program, shell));
    });
}

function isShell(name: string): name is Shell {
  return (shells as readonly string[]).includes(name);
}
