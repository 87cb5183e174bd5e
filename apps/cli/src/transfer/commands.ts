import { Option, type Command } from 'commander';
import { contextOf } from '../command-line/context.js';
import { askingCommand } from '../command-line/define.js';
import type { ImportOptions } from './import-command.js';

/** Commands that move the content of spaces, through a running installation. */
export function contentCommands(program: Command): void {
  askingCommand(
    program,
    'import',
    'scriptorium import docs --space <id>',
    'scriptorium import https://example.org/docs.zip --space <id> --replace',
  )
    .description('make a folder of markdown, a zip of one, or a single file the content of a space')
    .argument('<source>', 'a folder, a file, or the public address of a zip')
    .requiredOption('--space <id>', 'the space')
    .option('--change-request <id>', 'a change request of the space, by id or number')
    .option('--page <id>', 'the page or group that the pages are put in')
    .option('--replace', 'replace the whole content, instead of adding to it', false)
    .option('--allow-empty', 'replace the content also by what has no pages', false)
    .option('--outside-links <url>', 'the address of the folder, for links that lead out of it')
    .action(async (source: string, options: ImportOptions, command: Command) => {
      const { importCommand } = await import('./import-command.js');
      await importCommand({ source, ...options, ...contextOf(command) });
    });
  askingCommand(program, 'export', 'scriptorium export guide.zip --space <id>')
    .description('write the content of a space to a zip of markdown')
    .argument('[file]', 'where it is written; a file with the name of the space unless given')
    .requiredOption('--space <id>', 'the space')
    .action(async (file: string | undefined, { space }: { space: string }, command: Command) => {
      const { exportCommand } = await import('./export-command.js');
      await exportCommand({ file, space, ...contextOf(command) });
    });
  pdfCommand(program);
}

interface PdfOptions {
  changeRequest?: string;
  page?: string;
  only: boolean;
  changes: boolean;
  paper: string;
  output?: string;
}

function pdfCommand(program: Command): void {
  askingCommand(program, 'pdf', 'scriptorium pdf <space> --output guide.pdf')
    .description('write a space, or pages of it, to a PDF')
    .argument('<space>', 'the id of the space')
    .option('--change-request <id>', 'a change request of the space, by id or number')
    .option('--page <id>', 'this page with those in it')
    .option('--only', 'the page alone', false)
    .option('--changes', 'only what the change request changes', false)
    .addOption(new Option('--paper <size>', 'the size of the sheets').choices(['a4', 'letter']).default('a4'))
    .option('-o, --output <file>', 'where it is written; a file with the name of the space or page unless given')
    .action(async (space: string, options: PdfOptions, command: Command) => {
      const { changeRequest, page, only, changes, paper, output: file } = options;
      const wanted = {
        file,
        space,
        changeRequest,
        page,
        only,
        changes,
        paper: paper === 'letter' ? paper : 'a4',
      } as const;
      const { pdfCommand: run } = await import('./pdf-command.js');
      await run({ ...wanted, ...contextOf(command) });
    });
}
