import { AppError, type SpecProblem } from '@scriptorium/contracts';
import { formVersion, type CompiledSpecification, type Problem, type UnreadableText } from '@scriptorium/openapi';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import type { FileStore } from '../../../versions/index.js';
import type { Outcome } from '../spec.js';
import { bytesOf, hasAll, keepBytes } from '../spec-bytes.operational.js';
import { keepText, type AnsweredText } from '../spec-texts.operational.js';
import { compareVersions } from './compare-versions.process.js';
import type { compileSpec } from './compile-spec.task.js';
import { FetchFailure } from './fetch-text.process.js';
import type { Reading } from './reading.process.js';
import { sourceTextOf, type SourceText } from './source-text.process.js';

const tooComplex = 'It is too complex';
const compileTask = workerTask<typeof compileSpec>({
  name: 'compile_spec',
  module: compiledModule('./compile-spec.task.js', import.meta.url),
  run: 'compileSpec',
  withinMs: 60_000,
  tooCostly: () => new AppError('too_large', [], { message: tooComplex }),
});
const waitMs = 65_000;

/** What reading has come to. */
export interface ReadSpec {
  outcome: Outcome;
  /** The answer of its URL, to be kept once the outcome is recorded. */
  answered: AnsweredText | null;
}

/** Reads a specification and keeps what it is made into. Safe to repeat. */
export async function readSpec(reading: Reading): Promise<ReadSpec> {
  try {
    const source = await sourceTextOf(reading);
    if ('unchanged' in source) return await unchanged(reading, source.unchanged);
    return await readText(reading, source);
  } catch (error) {
    if (error instanceof FetchFailure) return failed(reading, error.code, { message: error.message, code: 'fetch' });
    if (error instanceof AppError && error.reason === 'limit_reached')
      return failed(reading, 'QUOTA_REACHED', { message: error.message, code: error.reason });
    throw error;
  }
}

/** Keeps why a specification could not be read. */
export async function failed(
  { scope, id, run }: Pick<Reading, 'scope' | 'id' | 'run'>,
  code: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'QUOTA_REACHED',
  problem: Pick<Problem, 'message' | 'code'>,
): Promise<ReadSpec> {
  await keepText(scope, id, run, { problems: [{ ...problem, severity: 'error' }] });
  return { outcome: { code, problems: 1 }, answered: null };
}

async function unchanged(
  { scope, id, run }: Reading,
  { answered, problems }: { answered: AnsweredText; problems: readonly SpecProblem[] },
): Promise<ReadSpec> {
  await keepText(scope, id, run, { problems });
  return { outcome: { same: true, problems: answered.problems }, answered: { ...answered, run } };
}

async function readText(reading: Reading, source: SourceText): Promise<ReadSpec> {
  const { scope, id, run } = reading;
  const result = await compiled(reading, source);
  const { items, count } = result.problems;
  await keepText(scope, id, run, { problems: items });
  if (!result.isReadable) return { outcome: { code: 'PARSE_ERROR', problems: count }, answered: null };
  const outcome = (await isSame(reading, result)) ? { same: true as const, problems: count } : undefined;
  return {
    outcome: outcome ?? (await keep(reading, source, result)),
    answered: answeredOf(source, { document: result.document.hash, run, problems: count }),
  };
}

/** With other documents the answer of the URL alone does not tell whether something has changed. */
function answeredOf(
  { others, validators }: SourceText,
  read: Pick<AnsweredText, 'document' | 'run' | 'problems'>,
): AnsweredText | null {
  return others.length > 0 || Object.keys(validators).length === 0
    ? null
    : { ...validators, ...read, form: formVersion };
}

async function compiled(
  { scope }: Reading,
  { bytes, location, others }: SourceText,
): Promise<CompiledSpecification | UnreadableText> {
  try {
    const text = bytes.toString('utf8');
    return await scope.workers.run(compileTask, { text, location, others }, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'too_large') throw error;
    const problem: Problem = { message: tooComplex, code: 'unreadable', severity: 'error' };
    return { isReadable: false, problems: { items: [problem], count: 1 } };
  }
}

/**
 * Whether the version that is there is what was read. Bytes of it that are missing, after a restore, are made again;
 * where they would not be the same ones, there is another version.
 */
async function isSame(
  { scope, files, organization, id, spec: { version } }: Reading,
  { document, outline, pack }: CompiledSpecification,
): Promise<boolean> {
  const isMadeSo =
    version?.document === document.hash && version.outline === outline.hash && version.pack === pack.hash;
  if (!isMadeSo) return false;
  const forms = { spec: id, part: 'forms' } as const;
  if (await hasAll(scope, files, forms, [version.document, version.outline, version.pack])) return true;
  for (const { bytes } of [document, outline, pack]) await keepBytes(scope, files, { ...forms, organization }, bytes);
  return true;
}

/** Bytes first: a version of which the log knows has all of them. */
async function keep(
  { scope, files, organization, id, spec, run }: Reading,
  source: SourceText,
  result: CompiledSpecification,
): Promise<Outcome> {
  const { document, outline, pack, operations, schemas, problems, format } = result;
  const forms = { organization, spec: id, part: 'forms' } as const;
  const text = await keepBytes(scope, files, { ...forms, part: 'source' }, source.bytes);
  for (const { bytes } of [document, outline, pack]) await keepBytes(scope, files, forms, bytes);
  return {
    // The same run makes the same version, however often it is tried.
    version: createHash('sha256').update(run).digest('hex').slice(0, 20),
    document: document.hash,
    outline: outline.hash,
    pack: pack.hash,
    source: text,
    format,
    bytes: document.bytes.length,
    operations,
    schemas,
    problems: problems.count,
    changes: spec.version === null ? null : await changesSince(scope, files, id, { version: spec.version, pack }),
  };
}

async function changesSince(
  scope: Scope,
  files: FileStore,
  id: string,
  { version, pack }: { version: { pack: string }; pack: { bytes: Uint8Array } },
) {
  const counts = { added: 0, changed: 0, removed: 0, breaking: 0 };
  try {
    const before = await bytesOf(files, { spec: id, part: 'forms' }, version.pack);
    for (const { change, breaking } of await compareVersions(scope, { before, after: pack.bytes })) {
      counts[change] += 1;
      if (breaking) counts.breaking += 1;
    }
    return counts;
  } catch (error) {
    // The version before is not there after a restore, or comparing takes too long: nothing is told then.
    if (error instanceof AppError && (error.reason === 'unavailable' || error.reason === 'too_large')) return null;
    throw error;
  }
}
