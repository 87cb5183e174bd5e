import type { Command } from 'commander';
import { organization, type CommandProcess, type OrganizationOptions as Options } from '../organization-commands.js';
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
  shared: { environment: NodeJS.ProcessEnv; write: (text: string) => void };
}
type Load = () => Promise<Loaded>;

/** Commands about translations of spaces, and about the glossary that they use. */
export function translationCommands(command: Command, { loadSettings, write }: CommandProcess): void {
  const group = command.command('translations').description('translate spaces, and look at what came of it');
  const load: Load = async () => {
    loadSettings();
    const run = { ...(await import('./translation-commands.js')), ...(await import('./segment-commands.js')) };
    return { run, shared: { environment: process.env, write } };
  };
  lookingCommands(group, load);
  runningCommands(group, load);
  textCommands(group, load);
  glossaryCommands(command, { loadSettings, write });
}

function lookingCommands(group: Command, load: Load): void {
  group
    .command('list')
    .description('list translations: id, space, language, status, segments with problems')
    .option(...organization)
    .action(async (options: Options) => {
      const { run, shared } = await load();
      await run.listCommand({ ...options, ...shared });
    });
  group
    .command('status')
    .description('show a translation; ends with 2 when its last run has failed or texts have problems')
    .argument('<translation>')
    .option(...organization)
    .action(async (translation: string, options: Options) => {
      const { run, shared } = await load();
      await run.statusCommand({ translation, ...options, ...shared });
    });
}

function runningCommands(group: Command, load: Load): void {
  group
    .command('create')
    .description('translate a space into a language, now and after each change of it; prints the id')
    .argument('<space>')
    .argument('<language>')
    .option('--from <language>', 'the language of the space; what the space says unless given')
    .option('--instructions <file>', 'a file of markdown with what the translation has to heed')
    .option(...watch)
    .option(...organization)
    .action(async (space: string, language: string, options: Options & { from?: string; watch: boolean }) => {
      const { run, shared } = await load();
      await run.createCommand({ space, language, ...options, ...shared });
    });
  group
    .command('run')
    .description('translate what has changed, or pages that have not')
    .argument('<translation>')
    .option('--pages <ids>', 'pages that are translated although they have not changed, with commas between them')
    .option('--force', 'translate their texts again, without --pages those of all, although they are known', false)
    .option(...watch)
    .option(...organization)
    .action(async (translation: string, options: Options & { pages?: string; force: boolean; watch: boolean }) => {
      const { run, shared } = await load();
      await run.runCommand({ translation, ...options, ...shared });
    });
}

function textCommands(group: Command, load: Load): void {
  group
    .command('segments')
    .description('list translated texts: id, page, problems, source, target')
    .argument('<translation>')
    .option('--page <id>', 'those of one page')
    .option('--problem', 'only those with problems', false)
    .option('--pinned', 'only those that somebody has corrected', false)
    .option(...organization)
    .action(async (translation: string, options: Options & { page?: string; problem: boolean; pinned: boolean }) => {
      const { run, shared } = await load();
      await run.segmentsCommand({ translation, ...options, ...shared });
    });
  group
    .command('pin')
    .description('correct a translated text; without a text, the correction is taken back')
    .argument('<translation>')
    .argument('<segment>')
    .argument('[text]', 'with the tags of the source')
    .option(...organization)
    .action(async (translation: string, segment: string, text: string | undefined, options: Options) => {
      const { run, shared } = await load();
      await run.pinCommand({ translation, segment, text, ...options, ...shared });
    });
}

function glossaryCommands(command: Command, { loadSettings, write }: CommandProcess): void {
  const group = command.command('glossary').description('write and read the glossary of translations as CSV');
  const shared = { environment: process.env, write };
  group
    .command('import')
    .description(
      'insert and change the entries of a file: a column for each language, `-` for a term that is never translated; with a column `id`, the entries with these ids',
    )
    .argument('<csv>')
    .option('--replace', 'delete entries that are not in the file', false)
    .option(...organization)
    .action(async (file: string, options: Options & { replace: boolean }) => {
      loadSettings();
      const { importGlossaryCommand } = await import('./glossary-commands.js');
      await importGlossaryCommand({ file, ...options, ...shared });
    });
  group
    .command('export')
    .description('write all entries to a file')
    .argument('<csv>')
    .option(...organization)
    .action(async (file: string, options: Options) => {
      loadSettings();
      const { exportGlossaryCommand } = await import('./glossary-commands.js');
      await exportGlossaryCommand({ file, ...options, ...shared });
    });
}
