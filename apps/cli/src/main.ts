import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@scriptorium/platform/config';
import { Command, Option } from 'commander';
import { conversationCommands } from './conversations/commands.js';
import { exitCodes } from './exit-codes.js';
import { openAPICommands } from './openapi/commands.js';
import type { ImportOptions } from './transfer/import-command.js';
import { StopError } from './stop-error.js';
import { translationCommands } from './translations/commands.js';
import { version } from './version.js';

const productFolder = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The `scriptorium` command. It ends the process: with 0, or after one line with the reason with a code of `exitCodes`.
 * `listening` is called when the command itself handles signals.
 */
export async function main(argv: readonly string[], listening: () => void = () => undefined): Promise<void> {
  try {
    await program(listening).parseAsync(argv);
    process.exit(exitCodes.ended);
  } catch (error) {
    const known = error instanceof StopError || error instanceof ConfigError;
    process.stderr.write(`scriptorium: ${known ? error.message : describe(error)}\n`);
    const code = error instanceof StopError ? error.code : exitCodes.failed;
    process.exit(error instanceof ConfigError ? exitCodes.setting : code);
  }
}

function program(listening: () => void): Command {
  const command = new Command('scriptorium')
    .description('A management API for documentation platforms, on your own machine.')
    .version(version);
  command
    .command('start')
    .description('start everything on this machine; named services only, when there are any')
    .argument('[service...]')
    .option('--isolated', 'one process for each service', false)
    .action(async (services: string[], { isolated }: { isolated: boolean }) => {
      loadDotEnv();
      const { start } = await import('./start/start.js');
      await start({ services, isolated, environment: process.env, ended: untilSignal(listening) });
    });
  command
    .command('dev')
    .description('run one service of the running installation from its sources, started again on each change')
    .argument('<service>')
    .action(async (service: string) => {
      // npm runs scripts of a workspace in the folder of that workspace, but the user started the command in the
      // product's folder.
      if (process.cwd().startsWith(productFolder.endsWith(sep) ? productFolder : productFolder + sep))
        process.chdir(productFolder);
      loadDotEnv();
      const { dev } = await import('./dev/dev.js');
      const { readFolderSettings } = await import('./settings.js');
      await dev({
        service,
        dataFolder: readFolderSettings(process.env).DATA_DIR,
        environment: process.env,
        ended: untilSignal(listening),
      });
    });
  askingCommands(command);
  contentCommands(command);
  const own = { loadSettings: loadDotEnv, write: (text: string) => void process.stdout.write(text) };
  openAPICommands(command, own);
  conversationCommands(command, own);
  translationCommands(command, own);
  folderCommands(command);
  return command;
}

/** Commands that need a running installation. */
function askingCommands(command: Command): void {
  command
    .command('bootstrap')
    .description('create the first user, organization and token of an installation; prints the token')
    .action(async () => {
      loadDotEnv();
      const { bootstrapCommand } = await import('./bootstrap/command.js');
      await bootstrapCommand(process.env);
    });
  command
    .command('demo')
    .description('load an organization with people, teams, spaces and pages to look at')
    .action(async () => {
      loadDotEnv();
      const { demoCommand } = await import('./demo/demo-command.js');
      await demoCommand({
        repository: productFolder,
        environment: process.env,
        write: (text) => void process.stdout.write(text),
        isTerminal: process.stdout.isTTY,
      });
    });
  command
    .command('rebuild')
    .description('build read models again beside the live ones, and compare the contents of both')
    .argument('<service>')
    .argument('[projection]')
    .action(async (service: string, projection: string | undefined) => {
      loadDotEnv();
      const { rebuildCommand } = await import('./maintenance/rebuild-command.js');
      await rebuildCommand({
        service,
        projection,
        environment: process.env,
        write: (text) => void process.stdout.write(text),
      });
    });
}

/** Commands that move the content of spaces, through a running installation. */
function contentCommands(command: Command): void {
  const write = (text: string) => void process.stdout.write(text);
  const isTerminal = process.stdout.isTTY;
  command
    .command('import')
    .description('make a folder of markdown, a zip of one, or a single file the content of a space')
    .argument('<source>', 'a folder, a file, or the public address of a zip')
    .requiredOption('--space <id>', 'the space')
    .option('--change-request <id>', 'a change request of the space, by id or number')
    .option('--page <id>', 'the page or group that the pages are put in')
    .option('--replace', 'replace the whole content, instead of adding to it', false)
    .option('--allow-empty', 'replace the content also by what has no pages', false)
    .option('--outside-links <url>', 'the address of the folder, for links that lead out of it')
    .action(async (source: string, options: ImportOptions) => {
      loadDotEnv();
      const { importCommand } = await import('./transfer/import-command.js');
      await importCommand({ source, ...options, environment: process.env, write, isTerminal });
    });
  command
    .command('export')
    .description('write the content of a space to a zip of markdown')
    .argument('[file]', 'where it is written; a file with the name of the space unless given')
    .requiredOption('--space <id>', 'the space')
    .action(async (file: string | undefined, { space }: { space: string }) => {
      loadDotEnv();
      const { exportCommand } = await import('./transfer/export-command.js');
      await exportCommand({ file, space, environment: process.env, write, isTerminal });
    });
  pdfCommands(command);
}

interface PdfOptions {
  changeRequest?: string;
  page?: string;
  only: boolean;
  changes: boolean;
  paper: string;
  output?: string;
}

function pdfCommands(command: Command): void {
  const write = (text: string) => void process.stdout.write(text);
  command
    .command('pdf')
    .description('write a space, or pages of it, to a PDF')
    .argument('<space>', 'the id of the space')
    .option('--change-request <id>', 'a change request of the space, by id or number')
    .option('--page <id>', 'this page with those in it')
    .option('--only', 'the page alone', false)
    .option('--changes', 'only what the change request changes', false)
    .addOption(new Option('--paper <size>', 'the size of the sheets').choices(['a4', 'letter']).default('a4'))
    .option('-o, --output <file>', 'where it is written; a file with the name of the space or page unless given')
    .action(async (space: string, { changeRequest, page, only, changes, paper, output: file }: PdfOptions) => {
      loadDotEnv();
      const { pdfCommand } = await import('./transfer/pdf-command.js');
      const wanted = {
        file,
        space,
        changeRequest,
        page,
        only,
        changes,
        paper: paper === 'letter' ? paper : 'a4',
      } as const;
      await pdfCommand({ ...wanted, environment: process.env, write, isTerminal: process.stdout.isTTY });
    });
}

/** Commands that work with the data folder of this machine. */
function folderCommands(command: Command): void {
  const write = (text: string) => void process.stdout.write(text);
  command
    .command('backup')
    .description('copy the data of the embedded servers, running or not, into an empty folder')
    .argument('<folder>')
    .action(async (folder: string) => {
      loadDotEnv();
      const { backupCommand } = await import('./maintenance/backup-command.js');
      await backupCommand({ folder, environment: process.env, write });
    });
  command
    .command('restore')
    .description('make the data folder of a backup; it must be empty or not be there')
    .argument('<folder>')
    .action(async (folder: string) => {
      loadDotEnv();
      const { restoreCommand } = await import('./maintenance/restore-command.js');
      await restoreCommand({ folder, environment: process.env, write });
    });
  command
    .command('scavenge')
    .description('remove from the files of the embedded servers, running or not, what was deleted')
    .action(async () => {
      loadDotEnv();
      const { scavengeCommand } = await import('./maintenance/scavenge-command.js');
      await scavengeCommand({ environment: process.env, write });
    });
  verifyingCommand(command);
}

function verifyingCommand(command: Command): void {
  const write = (text: string) => void process.stdout.write(text);
  command
    .command('verify')
    .description('check every record, page and document of the data folder while nothing runs on it, or of a backup')
    .argument('[folder]')
    .option('--content', 'of the running installation, look at what every revision of every space names')
    .action(async (folder: string | undefined, { content = false }: { content?: boolean }) => {
      loadDotEnv();
      if (content) {
        const { verifyContentCommand } = await import('./maintenance/verify-content-command.js');
        return verifyContentCommand({ environment: process.env, write });
      }
      const { verifyCommand } = await import('./maintenance/verify-command.js');
      await verifyCommand({ folder, environment: process.env, write });
    });
}

/** Loads the settings of the working directory. Variables of the environment have precedence. */
function loadDotEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

function untilSignal(listening: () => void): Promise<string> {
  return new Promise((resolve) => {
    // These listeners stay: npm repeats a signal that the terminal has sent to all processes, and the second one must
    // not kill.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    listening();
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
