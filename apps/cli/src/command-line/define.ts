import { Help, type Command } from 'commander';
import type * as z from 'zod';
import { addressSettings } from '../settings.js';

type Settings = Readonly<Record<string, z.ZodType>>;

/** What the help of a command tells besides its arguments and options. */
interface About {
  /** The variables of the environment that it reads. */
  settings: Settings;
  /** Whole lines that work. */
  examples: readonly [string, ...string[]];
}

/** The options that every command has which asks a running installation. */
const installationOptions = [
  ['--url <url>', 'the address of the installation, instead of SCRIPTORIUM_URL'],
  [
    '--token <token>',
    'the token, instead of SCRIPTORIUM_TOKEN; the variable is safer: every user of the machine can read arguments',
  ],
  ['--json', 'print the answer as JSON, one object a line, and all else to standard error'],
] as const;

/** A command of `group`, whose help shows examples and the variables that it reads. */
export function defineCommand(group: Command, name: string, { settings, examples }: About): Command {
  const rows = Object.entries(settings).map(([variable, { description = '' }]) => [variable, description] as const);
  const length = Math.max(0, ...rows.map(([variable]) => variable.length));
  const variables = rows.map(([variable, text]) => `  ${variable.padEnd(length)}  ${text.replaceAll('`', '')}\n`);
  const environment = variables.length === 0 ? '' : `\nEnvironment:\n${variables.join('')}`;
  return group
    .command(name)
    .addHelpText('after', `${environment}\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`.trimEnd());
}

/** A command that asks a running installation: the options name its address and the token. */
export function askingCommand(group: Command, name: string, ...examples: About['examples']): Command {
  const command = defineCommand(group, name, { settings: addressSettings, examples });
  for (const [flags, description] of installationOptions) command.option(flags, description);
  return command;
}

/** The options of help in their order: those of the command alone before those that all have. */
export function optionsInOrder(this: Help, command: Command): ReturnType<Help['visibleOptions']> {
  const shared = new Set<string>(installationOptions.map(([flags]) => flags));
  const visible = Help.prototype.visibleOptions.call(this, command);
  return [...visible.filter(({ flags }) => !shared.has(flags)), ...visible.filter(({ flags }) => shared.has(flags))];
}
