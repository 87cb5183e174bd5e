import { limitReached } from '@scriptorium/contracts';
import { isSame } from '@scriptorium/tree';
import { attributesOf, type PageAttributes, type PageRecord } from '../pages/index.js';
import { mergeTexts, type MergeContext } from './merge-text.js';
import { mergeMembers, mergePresence, mergeValue, type Versions } from './versions.js';

/**
 * What both sides together make of a page, without its order among its siblings; `undefined` for a page that goes. Each
 * field counts by itself. Where both changed the same, that of the change request stays.
 */
export async function mergePage(
  context: MergeContext,
  id: string,
  versions: Versions<PageRecord>,
): Promise<PageRecord | undefined> {
  const { conflicts } = context;
  const presence = mergePresence(versions, (before, after) => !isSame(unordered(before), unordered(after)));
  if (presence !== 'both') {
    if (presence.isConflict) conflicts.add({ kind: 'delete', of: { page: id } });
    return presence.value;
  }
  const { base, ours, theirs } = versions as Versions<PageRecord> & { ours: PageRecord; theirs: PageRecord };
  if (base !== undefined && isSame(base, theirs)) return ours;
  if (base !== undefined && isSame(base, ours)) return theirs;
  return mergeFields(context, id, { base, ours, theirs });
}

/** Other siblings can change its order. */
function unordered(page: PageRecord): PageRecord {
  return { ...page, order: '' };
}

type Both = Versions<PageRecord> & { ours: PageRecord; theirs: PageRecord };

async function mergeFields(context: MergeContext, id: string, versions: Both): Promise<PageRecord> {
  const { base, ours, theirs } = versions;
  const { conflicts } = context;
  const of = { page: id };
  const { value, conflicts: fields } = mergeMembers(versions, apart);
  for (const attribute of fields) conflicts.add({ kind: 'edit', of, attribute });
  const document = await mergeTexts(context, of, names(versions, 'document'));
  const attributes = await mergeAttributes(context, id, versions);
  const place = mergeValue({ base: base?.parent ?? '', ours: ours.parent ?? '', theirs: theirs.parent ?? '' });
  if (place.isConflict) conflicts.add({ kind: 'move', of });
  const parent = place.value === '' ? undefined : place.value;
  const importedFrom = importedFromOf(versions);
  return {
    ...(value as PageRecord),
    ...(document === undefined ? {} : { document }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(parent === undefined ? {} : { parent }),
    ...(importedFrom === undefined ? {} : { importedFrom }),
    order: parent === theirs.parent ? theirs.order : ours.order,
    createdAt: ours.createdAt,
    updatedAt: ours.updatedAt > theirs.updatedAt ? ours.updatedAt : theirs.updatedAt,
  };
}

const apart = ['document', 'attributes', 'parent', 'order', 'createdAt', 'updatedAt', 'importedFrom'] as const;

/** Where a page came from is nothing that somebody could resolve: both sides have imported it, and ours counts. */
function importedFromOf({ base, ours, theirs }: Both): PageRecord['importedFrom'] {
  return mergeValue({ base: base?.importedFrom, ours: ours.importedFrom, theirs: theirs.importedFrom }).value;
}

function names({ base, ours, theirs }: Both, field: 'document' | 'attributes'): Versions<string> {
  return { base: base?.[field], ours: ours[field], theirs: theirs[field] };
}

/** Layout and variables count by their members. */
async function mergeAttributes(context: MergeContext, id: string, versions: Both): Promise<string | undefined> {
  const merged = mergeValue(names(versions, 'attributes'));
  if (!merged.isConflict) return merged.value;
  const { trees, conflicts, draft } = context;
  const of = { page: id };
  const [base, ours, theirs] = await Promise.all([
    attributesOf(trees.base, versions.base ?? {}),
    attributesOf(trees.ours, versions.ours),
    attributesOf(trees.theirs, versions.theirs),
  ]);
  const { value, conflicts: fields } = mergeMembers<PageAttributes>({ base, ours, theirs }, ['layout', 'variables']);
  const layout = mergeMembers({ base: base.layout, ours: ours.layout, theirs: theirs.layout });
  for (const attribute of [...fields, ...(layout.conflicts.length > 0 ? ['layout'] : [])])
    conflicts.add({ kind: 'edit', of, attribute });
  const variables = mergeMembers({ base: base.variables, ours: ours.variables, theirs: theirs.variables });
  for (const variable of variables.conflicts) conflicts.add({ kind: 'edit', of: { variable, page: id } });
  refuseTooMany(variables.value, [ours.variables, theirs.variables], context.variables);
  const next = { ...value, layout: layout.value, variables: variables.value };
  const kept = Object.entries(next).filter(([, one]) => Object.keys(one).length > 0);
  return kept.length === 0 ? undefined : draft.add(Object.fromEntries(kept));
}

/** What has more than the limit, because the limit was lowered, may stay so. */
function refuseTooMany(merged: object, sides: readonly (object | undefined)[], most: number): void {
  const count = Object.keys(merged).length;
  const before = Math.max(...sides.map((side) => Object.keys(side ?? {}).length));
  if (count > most && count > before) throw limitReached('variablesPerSpace', most);
}
