import type { Command } from 'commander';
import { contextOf, type CommandContext } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import type * as commands from './change-request-commands.js';

const space = ['--space <id>', 'the space'] as const;

/** Commands about change requests, for reviewers without an editor. */
export function changeRequestCommands(program: Command): void {
  const group = program
    .command('change-request')
    .description('propose changes, look at what others propose, and merge it');
  askingCommand(group, 'list', 'scriptorium change-request list --space <id>')
    .description('list the open change requests of a space: number, status, subject, author')
    .requiredOption(...space)
    .action((options: { space: string }, command: Command) =>
      run(command, ({ listCommand }, context) => listCommand({ ...options, ...context })),
    );
  askingCommand(group, 'open', 'scriptorium change-request open --space <id> --subject "Pull request 12"')
    .description('open a change request, and print its number; one that is open with the same subject is taken')
    .requiredOption(...space)
    .requiredOption('--subject <text>', 'what it is called')
    .action((options: { space: string; subject: string }, command: Command) =>
      run(command, ({ openCommand }, context) => openCommand({ ...options, ...context })),
    );
  aboutOne(group, 'show', 'scriptorium change-request show 12 --space <id>')
    .description('show a change request: who proposes what, and which pages and files it changes')
    .action((changeRequest: string, options: { space: string }, command: Command) =>
      run(command, ({ showCommand }, context) => showCommand({ changeRequest, ...options, ...context })),
    );
  aboutOne(group, 'diff', 'scriptorium change-request diff 12 --space <id>')
    .description('show what a change request changes in texts, as a unified diff of their markdown')
    .action((changeRequest: string, options: { space: string }, command: Command) =>
      run(command, ({ diffCommand }, context) => diffCommand({ changeRequest, ...options, ...context })),
    );
  aboutOne(group, 'merge', 'scriptorium change-request merge 12 --space <id>')
    .description('merge a change request into its space; ends with 2 when both sides changed the same')
    .action((changeRequest: string, options: { space: string }, command: Command) =>
      run(command, ({ mergeCommand }, context) => mergeCommand({ changeRequest, ...options, ...context })),
    );
}

function aboutOne(group: Command, name: string, example: string): Command {
  return askingCommand(group, name, example)
    .argument('<change-request>', 'its number in the space, or its id')
    .requiredOption(...space);
}

async function run(
  command: Command,
  use: (loaded: typeof commands, context: CommandContext) => Promise<void>,
): Promise<void> {
  await use(await import('./change-request-commands.js'), contextOf(command));
}
