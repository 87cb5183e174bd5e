import { AppError } from '@scriptorium/contracts';
import type { StepOutcome } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { branches, type ContentObjects } from '../../../versions/index.js';
import type { ImportWork } from '../documents/read-groups.process.js';
import { targetsOf } from '../documents/targets.process.js';
import type { ImportDocument } from '../imports.operational.js';
import type { ImportState } from './import.run.js';

/** How long a step reads before it tells how far it is, ms. */
export const tellEveryMs = 1_500;

export interface Step {
  scope: Scope;
  objects: ContentObjects;
  about: ImportDocument;
  /** Milliseconds since 1970. */
  deadline: number;
}

export type Outcome = StepOutcome<ImportState>;

/** What an import does at the moment, for people. */
const doing = {
  fetch: 'Fetching the archive',
  plan: 'Reading the table of contents',
  scan: 'Looking at pages',
  pages: 'Reading pages',
  includes: 'Reading included texts',
  files: 'Storing files',
  commit: 'Writing the revision',
  show: 'Finishing',
} as const satisfies Record<ImportState['phase'], string>;

const beforePages: ReadonlySet<ImportState['phase']> = new Set(['fetch', 'plan', 'scan']);

export function progress({ at, pages, phase }: ImportState) {
  const done = phase === 'pages' ? at : beforePages.has(phase) ? 0 : pages;
  return { done, ...(pages === 0 ? {} : { total: pages }), message: doing[phase] };
}

export function on(state: ImportState): Outcome {
  return { next: state, progress: progress(state) };
}

export async function requireBranch({ store }: Scope, { branch, space }: ImportDocument) {
  const found = await store.read(branches).byId(branch);
  if (found?.head == null || found.space !== space) throw new AppError('not_found');
  return { pool: found.pool, ...found.head };
}

export async function workOf(step: Step): Promise<ImportWork> {
  const { scope, objects, about, deadline } = step;
  const { pool } = await requireBranch(scope, about);
  return { scope, objects, pool, import: about, targets: await targetsOf(scope, about), deadline };
}
