import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, createClient } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';
import { download } from './download.js';

export interface PdfInput extends CommandContext {
  /** Where the PDF is written. */
  file: string | undefined;
  space: string;
  /** Id or number of a change request; without it the main content is shown. */
  changeRequest: string | undefined;
  page: string | undefined;
  only: boolean;
  changes: boolean;
  paper: 'a4' | 'letter';
}

/**
 * `scriptorium pdf`: writes a space or a change request of the running installation, or pages of it, to a PDF.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function pdfCommand(input: PdfInput): Promise<void> {
  const { file, space: spaceId, changeRequest, page, only, changes, paper, environment, screen, answer } = input;
  if (changes && changeRequest === undefined) throw new StopError('--changes needs --change-request');
  if (file !== undefined) await requirePlace(file);
  const client = createClient(await addressOf(environment));
  const query = { only, paper, ...(page === undefined ? {} : { page }) };
  const asked =
    changeRequest === undefined
      ? client.getSpacePdf({ params: { spaceId }, query })
      : client.getChangeRequestPdf({
          params: { spaceId, changeRequestId: changeRequest },
          query: { ...query, changes },
        });
  const { url } = await asked.catch((error: unknown) => explainPage(error, page));
  const path = file ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? 'space.pdf');
  const bytes = await download({ url, path, what: 'PDF', screen });
  answer({ file: path, bytes }, `Wrote ${bytes} bytes to ${path}\n`);
}

/** Nothing is rendered for a file that cannot be written. */
async function requirePlace(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isDirectory() === true) throw new StopError(`${file} is a folder`);
  const folder = dirname(file);
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw new StopError(`there is no folder ${folder} to write ${file} to`);
}

/** What the installation says of a page is told by the option that named it. */
function explainPage(error: unknown, page: string | undefined): never {
  const detail = error instanceof AppError ? error.details.find(({ path }) => path === 'query.page') : undefined;
  if (page === undefined || detail === undefined) return explain(error);
  throw new StopError(`--page ${page}: ${detail.message}`, error);
}
