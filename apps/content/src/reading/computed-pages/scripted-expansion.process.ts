import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContentObjects, FoundResult, Page, ResultName } from '../../versions/index.js';
import { computationOf } from './compute-by-script.process.js';
import type { ScriptedComputedPage } from './computed-page.js';
import { scriptedSourceOf, type ScriptedPlace, type ScriptedSource } from './scripted-source.queries.js';

/** What a script has computed for a page, as far as there is something. */
export interface ScriptedExpansion {
  page: Page;
  /** Of what is shown. */
  seed: string;
  /** Whether there is something newer to compute, or nobody can be asked whether there is. */
  isStale: boolean;
  /** Whether documents of some of its pages are missing. */
  isPartial: boolean;
  /** The result that is shown. */
  result: ResultName | null;
  /** Why nothing newer was computed. */
  failure?: AppError;
}

/** How long a script is waited for, which then goes on: where there is nothing from before, and where there is. */
export interface ScriptWait {
  mostMs: number;
  newerMs: number;
}

/** Whoever reads content waits for a script as long as there is nothing to show. */
export const readerWait: ScriptWait = { mostMs: 3_000, newerMs: 0 };

/**
 * What the script of an integration has computed for a page: as it is now, or else the last that the branch has shown.
 * `undefined` unless the integration is installed on the space.
 */
export async function scriptedExpansionOf(
  scope: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { wait, ...place }: ScriptedPlace & { wait: ScriptWait },
  page: Page,
): Promise<ScriptedExpansion | undefined> {
  const source = await scriptedSourceOf(scope, place, page);
  if (source === undefined) return undefined;
  const { computed } = objects;
  const { space, branch } = place;
  const key = { space, branch, source: source.source, seed: source.seed };
  let found = await computed.find(key);
  if (!source.isActive) return { ...shownOf(page, source, found), isStale: true, failure: notActive() };
  const isWhole = found.kept?.seed === source.seed && found.failure === undefined;
  if (!isWhole && computed.isDue(found.failure)) {
    const renewed = computed.renew(computationOf({ ...place, pool: place.tree.pool }, source), found.failure);
    const waitMs = found.kept === undefined ? wait.mostMs : wait.newerMs;
    if (waitMs > 0) {
      const { failure } = found;
      const outcome = await Promise.race([renewed, delay(waitMs, failure, { ref: false })]);
      const next = await computed.find(key);
      // What has failed in passing is kept by nobody.
      found = { ...next, failure: next.failure ?? outcome };
    }
  }
  return shownOf(page, source, found);
}

function shownOf(page: Page, { seed }: ScriptedSource, { kept, failure }: FoundResult): ScriptedExpansion {
  const isStale = kept?.seed !== seed;
  return {
    page,
    seed: kept?.seed ?? seed,
    isStale,
    isPartial: !isStale && failure !== undefined,
    result: kept === undefined ? null : { id: kept.id, at: kept.at },
    ...(failure === undefined ? {} : { failure: new AppError(failure.reason, [], { message: failure.message }) }),
  };
}

function notActive(): AppError {
  const message = 'The integration is paused, or waits for a setting or a scope';
  return new AppError('integration_failed', [], { message });
}

/** The pages of a result; `undefined` when it is not there any more. */
export async function pagesOfResult(
  objects: ContentObjects,
  name: ResultName,
): Promise<ScriptedComputedPage[] | undefined> {
  const text = await objects.computed.text(name);
  return text === undefined ? undefined : (JSON.parse(text) as ScriptedComputedPage[]);
}
