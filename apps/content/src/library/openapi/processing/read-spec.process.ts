import { AppError } from '@scriptorium/contracts';
import type { CompiledSpecification, Problem, UnreadableText } from '@scriptorium/openapi';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import type { FileStore } from '../../../versions/index.js';
import type { Outcome, Spec } from '../spec.js';
import { bytesOf, keepBytes } from '../spec-bytes.operational.js';
import { findTexts, keepText } from '../spec-texts.operational.js';
import { compareVersions } from './compare-versions.process.js';
import type { compileSpec } from './compile-spec.task.js';
import { FetchFailure, fetchOthers, fetchText, fetchWithinMs } from './fetch-documents.process.js';

const tooComplex = 'It is too complex';
const compileTask = workerTask<typeof compileSpec>({
  name: 'compile_spec',
  module: compiledModule('./compile-spec.task.js', import.meta.url),
  run: 'compileSpec',
  withinMs: 60_000,
  tooCostly: () => new AppError('too_large', [], { message: tooComplex }),
});
const waitMs = 65_000;

export interface Reading {
  scope: Scope;
  files: FileStore;
  id: string;
  spec: Spec;
  run: string;
  signal: AbortSignal;
}

/** Reads a specification and keeps what it is made into. Safe to repeat. */
export async function readSpec(reading: Reading): Promise<Outcome> {
  try {
    const source = await sourceOf(reading);
    const result = await compiled(reading, source);
    await keepText(reading.scope, reading.id, reading.run, { problems: result.problems.items });
    if (!result.isReadable) return { code: 'PARSE_ERROR', problems: result.problems.count };
    if (result.document.hash === reading.spec.version?.document) return { same: true, problems: result.problems.count };
    return await keep(reading, result);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    const problem: Problem = { message: error.message, code: 'fetch', severity: 'error' };
    await keepText(reading.scope, reading.id, reading.run, { problems: [problem] });
    return { code: error.code, problems: 1 };
  }
}

interface SourceText {
  text: string;
  location: string | null;
  others: [url: string, text: string][];
}

async function sourceOf({ scope, files, id, spec, signal }: Reading): Promise<SourceText> {
  const until = { deadline: scope.now() + fetchWithinMs, signal };
  const { kind, name } = spec.source;
  if (kind === 'text') {
    const text = (await bytesOf(files, { spec: id, part: 'source' }, name)).toString('utf8');
    return { text, location: null, others: await fetchOthers(scope, { text, location: null }, until) };
  }
  const url = (await findTexts(scope, [{ spec: id, name }])).get(`${id}/${name}`)?.url;
  if (url === undefined) throw new FetchFailure('The URL is not known any more: give it again', 'FETCH_ERROR');
  const text = await fetchText(scope, url, until);
  return { text, location: url, others: await fetchOthers(scope, { text, location: url }, until) };
}

async function compiled({ scope }: Reading, source: SourceText): Promise<CompiledSpecification | UnreadableText> {
  try {
    return await scope.workers.run(compileTask, source, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'too_large') throw error;
    const problem: Problem = { message: tooComplex, code: 'unreadable', severity: 'error' };
    return { isReadable: false, problems: { items: [problem], count: 1 } };
  }
}

/** Bytes first: a version of which the log knows has all of them. */
async function keep({ scope, files, id, spec, run }: Reading, result: CompiledSpecification): Promise<Outcome> {
  const { document, outline, pack, operations, schemas, problems } = result;
  const forms = { spec: id, part: 'forms' } as const;
  for (const { bytes } of [document, outline, pack]) await keepBytes(scope, files, forms, bytes);
  return {
    // The same run makes the same version, however often it is tried.
    version: createHash('sha256').update(run).digest('hex').slice(0, 20),
    document: document.hash,
    outline: outline.hash,
    pack: pack.hash,
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
