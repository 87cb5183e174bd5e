import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Language, type Translation } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { everyItem } from '../command-line/every-item.js';
import { linesOf } from '../command-line/lines.js';
import { exitCodes } from '../exit-codes.js';
import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput, type OrganizationPlace } from '../openapi/place.js';
import { StopError } from '../stop-error.js';

/** A command about one translation. */
export interface TranslationInput extends CommandInput {
  translation: string;
}

const lookEveryMs = 1_000;
/** Longer, a command does not wait. */
const waitAtMostMs = 6 * 3_600_000;

/** `scriptorium translations list`: one line for each translation. */
export async function listCommand(input: CommandInput): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const read = (cursor: { page?: string }) =>
    client.listTranslations({ params: { organizationId }, query: { limit: 100, ...cursor } }).catch(explain);
  for await (const translation of everyItem(read)) {
    const { id, source, language, status, lastError, stats } = translation;
    const isFailed = status === 'completed' && lastError !== undefined;
    const state = isFailed ? lastError.reason : status;
    input.answer(translation, `${[id, source.space, language, state, stats.problems].join('\t')}\n`);
  }
}

/**
 * `scriptorium translations status`: what is known of a translation.
 * @throws StopError also when its last run has failed or left problems
 */
export async function statusCommand(input: TranslationInput): Promise<void> {
  const shown = await getOne(await placeOf(input), input.translation);
  tell(shown, input);
  if (shown.status === 'completed') refuseProblems(shown);
}

interface CreateInput extends CommandInput {
  space: string;
  language: string;
  from?: string;
  /** A file. */
  instructions?: string;
  watch: boolean;
}

/** `scriptorium translations create`: prints the id of the translation. */
export async function createCommand(input: CreateInput): Promise<void> {
  const language = languageOf(input.language, '<language>');
  const from = input.from === undefined ? undefined : languageOf(input.from, '--from');
  const markdown = input.instructions === undefined ? undefined : await textOf(input.instructions);
  const place = await placeOf(input);
  const body = {
    language,
    source: { space: input.space, ...(from !== undefined && { language: from }) },
    ...(markdown !== undefined && { instructions: { markdown } }),
  };
  const made = await place.client
    .createTranslation({ params: { organizationId: place.organizationId }, body, idempotencyKey: randomUUID() })
    .catch(explain);
  input.answer(made, `${made.id}\n`);
  if (input.watch) await watch(place, made.id, input);
}

interface RunInput extends TranslationInput {
  /** Ids with commas between them. */
  pages?: string;
  force: boolean;
  watch: boolean;
}

/** `scriptorium translations run`: with `watch` it tells what came of it. */
export async function runCommand(input: RunInput): Promise<void> {
  const place = await placeOf(input);
  const pages = input.pages?.split(',').map((id) => id.trim());
  const body = { ...(pages !== undefined && { pages }), ...(input.force && { force: true }) };
  const params = { organizationId: place.organizationId, translationId: input.translation };
  await place.client.runTranslation({ params, body, idempotencyKey: randomUUID() }).catch(explain);
  if (input.watch) await watch(place, input.translation, input);
}

/** Waits for the end of what is requested, and says how far it is. */
async function watch(place: OrganizationPlace, id: string, context: CommandContext): Promise<void> {
  const end = Date.now() + waitAtMostMs;
  let told = '';
  for (;;) {
    const shown = await getOne(place, id);
    if (shown.status === 'completed') {
      tell(shown, context);
      return refuseProblems(shown);
    }
    if (Date.now() > end) throw new StopError(`${id} is still being translated`);
    const { done, total } = shown.progress ?? { done: 0, total: undefined };
    const now = total === undefined ? shown.status : `${shown.status} ${done} of ${total}`;
    if (now !== told) context.write(`${now}\n`);
    told = now;
    await pause(lookEveryMs);
  }
}

function getOne({ client, organizationId }: OrganizationPlace, translationId: string): Promise<Translation> {
  return client.getTranslation({ params: { organizationId, translationId } }).catch(explain);
}

function tell(translation: Translation, { answer }: CommandContext): void {
  const { source, language, status, result, stats, usage, lastError } = translation;
  const { characters, promptTokens, completionTokens, cost } = usage.total;
  const facts = {
    source: `${source.space} (${source.language})`,
    language,
    status,
    result: result?.space,
    revision: result?.revision,
    pages: stats.totalPages,
    'last run': `${stats.latestPages} pages, ${stats.latestWords} words, ${stats.latestRunDuration} s`,
    'all runs': `${stats.runs} runs, ${stats.totalWords} words, ${stats.totalDuration} s`,
    used: `${characters} characters, ${promptTokens + completionTokens} tokens`,
    cost,
    problems: stats.problems,
    error: lastError && `${lastError.reason}: ${lastError.message}`,
  };
  answer(translation, linesOf(facts));
}

function refuseProblems({ id, lastError, stats }: Translation): void {
  if (lastError !== undefined)
    throw new StopError(`the last run of ${id} has failed: ${lastError.message}`, undefined, exitCodes.problems);
  if (stats.problems > 0)
    throw new StopError(`${stats.problems} texts of ${id} have problems`, undefined, exitCodes.problems);
}

function languageOf(text: string, what: string): Translation['language'] {
  const parsed = Language.safeParse(text.toLowerCase());
  if (!parsed.success) throw new StopError(`${what} must be a language such as de or pt-br`);
  return parsed.data;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StopError(`there is no file ${file}`, error);
  }
}
