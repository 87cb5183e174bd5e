import { AppError } from '@scriptorium/contracts';
import type { SpecificationChange } from '@scriptorium/openapi';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { compareSpecs } from './compile-spec.task.js';

const compareTask = workerTask<typeof compareSpecs>({
  name: 'compare_specs',
  module: compiledModule('./compile-spec.task.js', import.meta.url),
  run: 'compareSpecs',
  withinMs: 20_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The versions take too long to be compared' }),
});
const waitMs = 25_000;

/** What differs between two versions, by their packs. */
export function compareVersions(
  { workers }: Pick<Scope, 'workers'>,
  packs: { before: Uint8Array; after: Uint8Array },
): Promise<SpecificationChange[]> {
  return workers.run(compareTask, packs, { deadline: Date.now() + waitMs });
}
