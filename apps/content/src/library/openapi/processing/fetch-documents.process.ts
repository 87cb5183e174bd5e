import { AppError, specBounds } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { findReferences } from './compile-spec.task.js';
import { FetchFailure, fetchText, type FetchOptions } from './fetch-text.process.js';

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

/** What a text refers to, and what these refer to. What cannot be had is left out: the references stay problems. */
export async function fetchOthers(
  scope: Pick<Scope, 'outbound' | 'now' | 'workers'>,
  root: { text: string; location: string | null },
  until: Pick<FetchOptions, 'deadline' | 'signal'>,
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
  until: FetchOptions,
): Promise<string | undefined> {
  try {
    return (await fetchText(scope, url, until))?.bytes.toString('utf8');
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}
