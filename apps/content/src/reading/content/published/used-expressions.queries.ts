import type { listUsedExpressions } from '@scriptorium/contracts';
import type * as z from 'zod';
import {
  type ContentObjects,
  type ContentTree,
  keys,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../versions/index.js';
import type { DocumentAnalyses } from '../../analysis/index.js';
import { conditionsOf } from '../../page-visibility/index.js';
import { viewContent, type ViewScope } from '../view/view.queries.js';

type Wanted = z.output<typeof listUsedExpressions.input>;
type Used = z.input<typeof listUsedExpressions.response>;

/** As many as an answer has; a space with more is said to use everything. */
const most = 1_000;

/** The conditions and expressions in the main content of a space. They are kept as long as the content is the same. */
export async function usedExpressions(
  scope: ViewScope,
  { objects, analyses }: { objects: ContentObjects; analyses: DocumentAnalyses },
  { organization, space }: Wanted,
): Promise<Used> {
  const view = await viewContent(scope, objects, organization, { space, branch: space });
  const name = `expressions ${view.tree.pool} ${view.root}`;
  const known = objects.derived.get(name) as readonly string[] | undefined;
  const all = known ?? [...new Set(await expressionsIn(scope, { objects, analyses }, view))];
  if (known === undefined) objects.derived.set(name, all, { size: 10 + all.length });
  const expressions = all.length > most ? null : [...all];
  // What is computed from specifications or by scripts changes without the revision.
  return { ...(!view.isFromOutside && { madeFrom: view.revision }), expressions };
}

async function expressionsIn(
  scope: ViewScope,
  { objects, analyses }: { objects: ContentObjects; analyses: DocumentAnalyses },
  { tree, root }: { tree: ContentTree; root: string },
): Promise<string[]> {
  const { sources } = await conditionsOf(objects, { tree, root });
  const pages = await tree.range(keys.pages);
  const contents = await tree.range(keys.reusableContents);
  const names = [
    ...pages.flatMap(([, record]) => (record as PageRecord).document ?? []),
    ...contents.map(([, record]) => (record as ReusableContentRecord).document),
  ];
  const known = await analyses.of(scope, tree.pool, names);
  return [...sources, ...[...known.values()].flatMap(({ expressions }) => [...expressions])];
}
