import type { SpecProblem } from '@scriptorium/contracts';
import { formVersion } from '@scriptorium/openapi';
import { bytesOf, hasAll } from '../spec-bytes.operational.js';
import { findTexts, type AnsweredText } from '../spec-texts.operational.js';
import { fetchOthers, fetchWithinMs } from './fetch-documents.process.js';
import { FetchFailure, fetchText, type Validators } from './fetch-text.process.js';
import type { Reading } from './reading.process.js';

/** The text of a specification, with the documents that it refers to. */
export interface SourceText {
  bytes: Buffer;
  location: string | null;
  others: [url: string, text: string][];
  validators: Validators;
}

/** What is known of the last answer of a URL. */
interface Unchanged {
  answered: AnsweredText;
  problems: readonly SpecProblem[];
}

/** The text of a specification; `unchanged` when its URL answers what it has answered before. @throws FetchFailure */
export async function sourceTextOf(reading: Reading): Promise<SourceText | { unchanged: Unchanged }> {
  const { scope, files, id, spec, signal } = reading;
  const until = { deadline: scope.now() + fetchWithinMs, signal };
  const { kind, name } = spec.source;
  if (kind === 'text') {
    const bytes = await bytesOf(files, { spec: id, part: 'source' }, name);
    const others = await fetchOthers(scope, { text: bytes.toString('utf8'), location: null }, until);
    return { bytes, location: null, others, validators: {} };
  }
  const stored = (await findTexts(scope, [{ spec: id, name }])).get(`${id}/${name}`);
  if (stored?.url === undefined) throw new FetchFailure('The URL is not known any more: give it again', 'FETCH_ERROR');
  const known = stored.answered == null ? undefined : await knownAnswer(reading, stored.answered);
  const fetched = await fetchText(scope, stored.url, { ...until, ...(known && { known: known.answered }) });
  if (fetched === null) return { unchanged: known as Unchanged };
  const location = stored.url;
  const others = await fetchOthers(scope, { text: fetched.bytes.toString('utf8'), location }, until);
  return { ...fetched, location, others };
}

/**
 * The last answer of a URL, as long as the version that is there was made of it as versions are made now, and can be
 * given.
 */
async function knownAnswer(
  { scope, files, id, spec: { version } }: Reading,
  answered: AnsweredText,
): Promise<Unchanged | undefined> {
  if (version?.document !== answered.document || answered.form !== formVersion) return undefined;
  const { run: name } = answered;
  const problems = (await findTexts(scope, [{ spec: id, name }])).get(`${id}/${name}`)?.problems;
  const { document, outline, pack } = version;
  const isThere = await hasAll(scope, files, { spec: id, part: 'forms' }, [document, outline, pack]);
  return problems === undefined || !isThere ? undefined : { answered, problems };
}
