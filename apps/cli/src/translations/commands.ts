import type { Command } from 'commander';
import { contextOf, type CommandContext } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import { organization, type OrganizationOptions as Options } from '../command-line/organization.js';
import type * as segments from './segment-commands.js';
import type * as commands from './translation-commands.js';

const watch = [
  '--watch',
  'wait until it is done, and end with 2 when it has failed or texts have problems',
  false,
] as const;

/** What a command runs with. */
interface Loaded {
  run: typeof commands & typeof segments;
  shared: CommandContext;
}

async function load(command: Command): Promise<Loaded> {
  const run = { ...(await import('./translation-commands.js')), ...(await import('./segment-commands.js')) };
  return { run, shared: contextOf(command) };
}

/** Commands about translations of spaces, and about the glossary that they use. */
export function translationCommands(program: Command): void {
  const group = program.command('translations').description('translate spaces, and look at what came of it');
  lookingCommands(group);
  runningCommands(group);
  textCommands(group);
  glossaryCommands(program);
}

function lookingCommands(group: Command): void {
  askingCommand(group, 'list', 'scriptorium translations list')
    .description('list translations: id, space, language, status, segments with problems')
    .option(...organization)
    .action(async (options: Options, command: Command) => {
      const { run, shared } = await load(command);
      await run.listCommand({ ...options, ...shared });
    });
  askingCommand(group, 'status', 'scriptorium translations status <translation>')
    .description('show a translation; ends with 2 when its last run has failed or texts have problems')
    .argument('<translation>')
    .option(...organization)
    .action(async (translation: string, options: Options, command: Command) => {
      const { run, shared } = await load(command);
      await run.statusCommand({ translation, ...options, ...shared });
    });
}

function runningCommands(group: Command): void {
  askingCommand(group, 'create', 'scriptorium translations create <space> de --watch')
    .description('translate a space into a language, now and after each change of it; prints the id')
    .argument('<space>')
    .argument('<language>')
    .option('--from <language>', 'the language of the space; what the space says unless given')
    .option('--instructions <file>', 'a file of markdown with what the translation has to heed')
    .option(...watch)
    .option(...organization)
    .action(
      async (
        space: string,
        language: string,
        options: Options & { from?: string; watch: boolean },
        command: Command,
      ) => {
        const { run, shared } = await load(command);
        await run.createCommand({ space, language, ...options, ...shared });
      },
    );
  askingCommand(group, 'run', 'scriptorium translations run <translation> --watch')
    .description('translate what has changed, or pages that have not')
    .argument('<translation>')
    .option('--pages <ids>', 'pages that are translated although they have not changed, with commas between them')
    .option('--force', 'translate their texts again, without --pages those of all, although they are known', false)
    .option(...watch)
    .option(...organization)
    .action(
      async (
        translation: string,
        options: Options & { pages?: string; force: boolean; watch: boolean },
        command: Command,
      ) => {
        const { run, shared } = await load(command);
        await run.runCommand({ translation, ...options, ...shared });
      },
    );
}

function textCommands(group: Command): void {
  askingCommand(group, 'segments', 'scriptorium translations segments <translation> --problem')
    .description('list translated texts: id, page, problems, source, target')
    .argument('<translation>')
    .option('--page <id>', 'those of one page')
    .option('--problem', 'only those with problems', false)
    .option('--pinned', 'only those that somebody has corrected', false)
    .option(...organization)
    .action(
      async (
        translation: string,
        options: Options & { page?: string; problem: boolean; pinned: boolean },
        command: Command,
      ) => {
        const { run, shared } = await load(command);
        await run.segmentsCommand({ translation, ...options, ...shared });
      },
    );
  askingCommand(group, 'pin', 'scriptorium translations pin <translation> <segment> "The text"')
    .description('correct a translated text; without a text, the correction is taken back')
    .argument('<translation>')
    .argument('<segment>')
    .argument('[text]', 'with the tags of the source')
    .option(...organization)
    .action(async (...given: [string, string, string | undefined, Options, Command]) => {
      const [translation, segment, text, options, command] = given;
      const { run, shared } = await load(command);
      await run.pinCommand({ translation, segment, text, ...options, ...shared });
    });
}

function glossaryCommands(program: Command): void {
  const group = program.command('glossary').description('write and read the glossary of translations as CSV');
  askingCommand(group, 'import', 'scriptorium glossary import terms.csv')
    .description(
      'insert and change the entries of a file: a column for each language, `-` for a term that is never translated; with a column `id`, the entries with these ids',
    )
    .argument('<csv>')
    .option('--replace', 'delete entries that are not in the file', false)
    .option(...organization)
    .action(async (file: string, options: Options & { replace: boolean }, command: Command) => {
      const { importGlossaryCommand } = await import('./glossary-commands.js');
      await importGlossaryCommand({ file, ...options, ...contextOf(command) });
    });
  askingCommand(group, 'export', 'scriptorium glossary export terms.csv')
    .description('write all entries to a file')
    .argument('<csv>')
    .option(...organization)
    .action(async (file: string, options: Options, command: Command) => {
      const { exportGlossaryCommand } = await import('./glossary-commands.js');
      await exportGlossaryCommand({ file, ...options, ...contextOf(command) });
    });
}
