import { AppError, specBounds } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { findReferences } from './compile-spec.task.js';

const referencesTask = workerTask<typeof findReferences>({
  name: 'find_spec_references',
  module: compiledModule('./compile-spec.task.js', import.meta.url),
  run: 'findReferences',
  withinMs: 20_000,
  tooCostly: () => new AppError('too_large', [], { message: 'It is too complex' }),
});

/** Documents that one specification is made of. */
const most = { documents: 50, levels: 5, bytes: specBounds.textBytes };
export const fetchWithinMs = 30_000;

/** Why a document could not be had. */
export class FetchFailure extends Error {
  constructor(
    message: string,
    readonly code: 'FETCH_TIMEOUT' | 'FETCH_ERROR',
  ) {
    super(message);
  }
}

/** Milliseconds since 1970. */
type Deadline = number;

/** The text of a URL. @throws FetchFailure */
export async function fetchText(
  { outbound, now }: Pick<Scope, 'outbound' | 'now'>,
  url: string,
  { deadline, maxBytes = most.bytes, signal }: { deadline: Deadline; maxBytes?: number; signal: AbortSignal },
): Promise<string> {
  const withinMs = Math.max(1, deadline - now());
  try {
    const { status, body } = await outbound.fetch({ url, field: 'body.source.url', maxBytes, withinMs, signal });
    if (status < 200 || status > 299) throw new FetchFailure(`The other side answered ${status}`, 'FETCH_ERROR');
    return body.toString('utf8');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'unavailable') throw error;
    if (now() >= deadline) throw new FetchFailure('The other side took longer than 30 seconds', 'FETCH_TIMEOUT');
    if (error.reason !== 'bad_gateway' && error.reason !== 'invalid_request') throw error;
    throw new FetchFailure(error.message.replace(/^body\.source\.url: /, ''), 'FETCH_ERROR');
  }
}

/** What a text refers to, and what these refer to. What cannot be had is left out: the references stay problems. */
export async function fetchOthers(
  scope: Pick<Scope, 'outbound' | 'now' | 'workers'>,
  root: { text: string; location: string | null },
  until: { deadline: Deadline; signal: AbortSignal },
): Promise<[url: string, text: string][]> {
  const asked = new Set<string>(root.location === null ? [] : [root.location]);
  const found: [string, string][] = [];
  let left = most.bytes - Buffer.byteLength(root.text);
  let texts: { text: string; location: string | null }[] = [root];
  for (let level = 0; level < most.levels && texts.length > 0; level += 1) {
    const urls: string[] = [];
    for (const text of texts) if (scope.now() < until.deadline) urls.push(...(await referencesOf(scope, text)));
    texts = [];
    for (const url of urls) {
      if (asked.has(url) || asked.size > most.documents || left <= 0 || scope.now() >= until.deadline) continue;
      asked.add(url);
      const text = await textOrNothing(scope, url, { ...until, maxBytes: left });
      if (text === undefined) continue;
      left -= Buffer.byteLength(text);
      found.push([url, text]);
      texts.push({ text, location: url });
    }
  }
  return found;
}

/** None when the text is too much for a worker: compiling it tells so. */
async function referencesOf(
  { workers }: Pick<Scope, 'workers'>,
  text: { text: string; location: string | null },
): Promise<string[]> {
  try {
    return await workers.run(referencesTask, text, { deadline: Date.now() + fetchWithinMs });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'too_large') return [];
    throw error;
  }
}

async function textOrNothing(
  scope: Pick<Scope, 'outbound' | 'now'>,
  url: string,
  until: { deadline: Deadline; maxBytes: number; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    return await fetchText(scope, url, until);
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}
