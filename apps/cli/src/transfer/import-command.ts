import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, createClient, type Client } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { createProgress, type Progress } from '../command-line/progress.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { withTemporaryFolder } from '../installation/temporary.js';
import { exitCodes } from '../exit-codes.js';
import { StopError } from '../stop-error.js';
import { readSource, type LocalUpload } from './read-source.js';

/** The options of the command. */
export interface ImportOptions {
  space: string;
  changeRequest?: string;
  page?: string;
  replace: boolean;
  outsideLinks?: string;
  allowEmpty: boolean;
}

export interface ImportInput extends ImportOptions, CommandContext {
  source: string;
}

type ImportRun = Awaited<ReturnType<Client['getImportRun']>>;

const lookEveryMs = 300;
/** That long the bytes of one upload may take. */
const uploadMs = 600_000;

/**
 * `scriptorium import`: imports a folder, a file or an address into a space of the running installation, and tells what
 * could not be resolved.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, when it refuses, when the import
 * fails, and when something was left out
 */
export async function importCommand(input: ImportInput): Promise<void> {
  const { source, write, answer } = input;
  const client = createClient(await addressOf(input.environment));
  const isAddress = /^https?:\/\//i.test(source);
  const done = isAddress
    ? await run(client, input, undefined).catch(explainImport)
    : await withTemporaryFolder(async (folder) => {
        // To replace a space by a folder without files is refused as it is by one without pages.
        const ofEmpty = input.replace ? exitCodes.empty : exitCodes.failed;
        const { uploads, links } = await readSource(source, folder, ofEmpty);
        for (const path of links) write(`${path}: a link, which is not followed\n`);
        return run(client, input, uploads).catch(explainImport);
      });
  const { warnings = [], moreWarnings = 0, pages = 0, files = 0 } = done.report ?? {};
  for (const { kind, path, target, message } of warnings)
    write(`${[`${path}:`, kind, target, message].filter((part) => part !== undefined).join(' ')}\n`);
  if (moreWarnings > 0) write(`and ${moreWarnings} further warnings\n`);
  if (done.status !== 'completed') throw new StopError(`the import ${told(done)}`, undefined, codeOf(done.failure));
  answer(done, `Imported ${pages} pages and ${files} files: revision ${done.revision ?? ''}\n`);
  const leftOut = leftOutOf(done);
  if (leftOut > 0) throw new StopError(`${leftOut} pages or files of the source could not be taken over`);
}

/** The warnings of what did not arrive. Drafts, and pages that are empty in the source, are none of it. */
const notArrived = new Set(['condition', 'unreadable', 'unread', 'too_large']);

/** How much was not taken over: pages, also those in one that was left out, and what else the warnings name. */
function leftOutOf({ pages = [], report }: ImportRun): number {
  const failed = pages.filter(({ status }) => status === 'failed');
  const paths = new Set(failed.map(({ path }) => path));
  const others = (report?.warnings ?? []).filter(({ kind, path }) => notArrived.has(kind) && !paths.has(path));
  return failed.length + others.length;
}

/** Tells what the installation has refused. */
function explainImport(error: unknown): never {
  if (error instanceof AppError && error.reason === 'import_empty')
    throw new StopError(`the installation refused: ${error.message} (${allowing})`, error, exitCodes.empty);
  if (error instanceof AppError && error.reason === 'space_locked')
    throw new StopError(`the installation refused: ${error.message}. ${proposing}`, error);
  return explain(error);
}

const proposing = 'Name one with --change-request; `scriptorium change-request open` opens it';
const allowing = '--allow-empty empties the space';

function codeOf(failure: ImportRun['failure']): number {
  return failure?.reason === 'import_empty' ? exitCodes.empty : exitCodes.failed;
}

function told({ status, failure }: ImportRun): string {
  return status === 'cancelled' ? 'was cancelled' : `failed: ${failure?.message ?? 'the reason is not known'}`;
}

async function run(client: Client, input: ImportInput, local: readonly LocalUpload[] | undefined): Promise<ImportRun> {
  const { source: url, space, changeRequest, page, replace, outsideLinks, allowEmpty } = input;
  const { organization: organizationId } = await client.getSpaceById({ params: { spaceId: space } });
  const links = outsideLinks === undefined ? {} : { outsideLinks };
  const source =
    local === undefined
      ? { type: 'url' as const, url, ...links }
      : { type: 'file' as const, files: await uploadAll(client, organizationId, local), ...links };
  const target = {
    space,
    ...(changeRequest === undefined ? {} : { changeRequest }),
    ...(page === undefined ? {} : { page }),
  };
  const body = { source, target, mode: replace ? ('replace' as const) : ('add' as const), allowEmpty };
  const { id: importId } = await client.startImportRun({
    params: { organizationId },
    body,
    idempotencyKey: randomUUID(),
  });
  return watch(client, { organizationId, importId }, input);
}

/** Uploads one file after the other, so that one of them is in memory at a time. Returns their keys. */
async function uploadAll(client: Client, organizationId: string, uploads: readonly LocalUpload[]): Promise<string[]> {
  const keys: string[] = [];
  for (const { name, path, size } of uploads) {
    const file = { name, type: 'application/octet-stream', size };
    const { url, key } = await client.uploadStorage({
      params: { organizationId },
      body: { file, kind: 'import_file' },
      idempotencyKey: randomUUID(),
    });
    const bytes = new Uint8Array(await readFile(path));
    const answer = await fetch(url, { method: 'PUT', body: bytes, signal: AbortSignal.timeout(uploadMs) });
    if (!answer.ok) throw new StopError(`the upload was answered with ${answer.status}`);
    keys.push(key);
  }
  return keys;
}

/** Shows how far an import is, until it has ended. */
async function watch(
  client: Client,
  params: { organizationId: string; importId: string },
  { screen }: ImportInput,
): Promise<ImportRun> {
  let bar: Progress | undefined;
  let shown = 0;
  for (;;) {
    const about = await client.getImportRun({ params });
    const { progress, status } = about;
    if (progress?.total !== undefined) {
      bar ??= createProgress(progress.total, screen);
      for (; shown < progress.done; shown += 1) bar.step(progress.message ?? '');
    }
    if (status !== 'pending' && status !== 'in-progress') {
      bar?.end();
      return about;
    }
    await pause(lookEveryMs);
  }
}
