import { seenAs } from '../analysis/index.js';
import {
  type ContentObjects,
  type ContentTree,
  idIn,
  keys,
  variablesOf,
  type PageAttributes,
  type PageRecord,
} from '../../versions/index.js';
import { hiddenPages, type JudgedPage, type RevisionConditions } from './conditions.js';
import { seenBy, type Reader } from './reader.js';

/** The tree of a revision, unfiltered. */
export interface RevisionTree {
  tree: ContentTree;
  root: string;
}

/** The pages of a revision that a reader is not shown, as far as that depends on the revision alone. */
export async function findHiddenPages(
  objects: Pick<ContentObjects, 'derived'>,
  { tree, root }: RevisionTree,
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const conditions = await conditionsOf(objects, { tree, root });
  if (conditions.sources.length === 0) return new Set();
  // Variables of the pages follow from the revision.
  const as = seenAs(conditions.sources, seenBy(reader, conditions.space));
  const name = `hidden ${tree.pool} ${root} ${as}`;
  const known = objects.derived.get(name) as ReadonlySet<string> | undefined;
  if (known !== undefined) return known;
  const hidden = hiddenPages(conditions, reader);
  objects.derived.set(name, hidden, { size: 10 + hidden.size });
  return hidden;
}

/** What decides about the pages of a revision. */
export async function conditionsOf(
  { derived }: Pick<ContentObjects, 'derived'>,
  { tree, root }: RevisionTree,
): Promise<RevisionConditions> {
  const name = `conditions ${tree.pool} ${root}`;
  const known = derived.get(name) as RevisionConditions | undefined;
  if (known !== undefined) return known;
  const entries = await tree.range(keys.pages);
  const all = entries.map(([key, record]) => ({ ...(record as PageRecord), id: idIn(key) }));
  const sources = new Set(all.flatMap(({ condition }) => condition ?? []));
  const leadingOut = all.flatMap(({ id, target }) => (leadsOut(target) ? [{ id, target }] : []));
  // Most spaces have no conditions: nothing of their pages has to be kept.
  const pages = sources.size === 0 ? [] : await judgedPages(tree, all);
  const conditions = { pages, sources: [...sources], space: await variablesOf(tree), leadingOut };
  derived.set(name, conditions, { size: 10 + 2 * pages.length + leadingOut.length });
  return conditions;
}

async function judgedPages(tree: ContentTree, pages: readonly (PageRecord & { id: string })[]): Promise<JudgedPage[]> {
  const named = pages.flatMap(({ condition, attributes }) => (condition === undefined ? [] : (attributes ?? [])));
  const attributes = (await tree.objects(named)) as Map<string, PageAttributes>;
  return pages.map(({ id, parent, condition, target, attributes: own = '' }) => {
    const variables = condition === undefined ? undefined : attributes.get(own)?.variables;
    return {
      id,
      ...(parent === undefined ? {} : { parent }),
      ...(condition === undefined ? {} : { condition }),
      ...(variables === undefined ? {} : { variables }),
      ...(target === undefined ? {} : { target }),
    };
  });
}

function leadsOut(target: PageRecord['target']): target is NonNullable<PageRecord['target']> {
  return target?.kind === 'collection' || (target !== undefined && 'space' in target && target.space !== undefined);
}
