import { describe, expect, it } from '@jest/globals';
import type { RichDocument } from '@scriptorium/rich-text';
import { isSame } from '@scriptorium/tree';
import fc from 'fast-check';
import { contentTree, type ContentObjects, type ContentTree } from '../object-store/index.js';
import { attributesOf, deepest, idIn, keys, type PageRecord } from '../pages/index.js';
import { applyEdits, edits, EMPTY_ROOT } from '../../test/edits.js';
import { memoryObjects } from '../../test/memory-objects.js';
import type { FoundConflict } from './conflict.js';
import { mergeContents, type MergedContents } from './merge-contents.js';
import { mergeDocuments } from './merge-documents.js';

const runs = Number(process.env['FUZZ_RUNS'] ?? '') || 60;
const seed = Number(process.env['SEED'] ?? '') || 1;

/**
 * Content as a plain map: every page with its fields and texts, reusable contents and variables. Order is told apart.
 */
type Model = Map<string, Record<string, unknown>>;

async function modelOf(tree: ContentTree): Promise<Model> {
  const model: Model = new Map();
  for (const [key, value] of await tree.range(keys.pages)) {
    const { document, attributes, order: _, createdAt: __, updatedAt: ___, ...fields } = value as PageRecord;
    const { layout = {}, variables = {} } = await attributesOf(tree, attributes === undefined ? {} : { attributes });
    const texts = document === undefined ? {} : { text: textIn((await tree.object(document)) as RichDocument) };
    const more = Object.entries(variables).map(([name, one]) => [`variable ${name}`, one]);
    model.set(key, { ...fields, ...texts, layout, ...(Object.fromEntries(more) as object) });
  }
  for (const prefix of [keys.reusableContents, keys.variables])
    for (const [key, value] of await tree.range(prefix))
      model.set(key, typeof value === 'string' ? { value } : { ...(value as object) });
  return model;
}

function textIn({ nodes }: RichDocument): string[] {
  return nodes.map((node) => /"text":"([^"]*)"/.exec(JSON.stringify({ ...node, meta: undefined }))?.[1] ?? '');
}

/** What does not hold of a tree that is in order. */
async function damageOf(tree: ContentTree): Promise<string[]> {
  const found: string[] = [];
  const pages = new Map((await tree.range(keys.pages)).map(([key, page]) => [idIn(key), page as PageRecord]));
  const entries = [...(await tree.range('c/')), ...(await tree.range('s/'))].map(([key]) => key).sort();
  const wanted: string[] = [];
  for (const [id, page] of pages) {
    wanted.push(keys.child(page.parent, page.order, id));
    if (page.slug !== undefined) wanted.push(keys.slug(page.parent, page.slug));
    let depth = 1;
    for (let above = page.parent; above !== undefined && depth <= deepest + 1; depth += 1) {
      if (!pages.has(above)) found.push(`${id} has no parent`);
      above = pages.get(above)?.parent;
    }
    if (depth > deepest) found.push(`${id} is too deep or in a cycle`);
  }
  if (!isSame(entries, wanted.sort())) found.push('children or slugs are wrong');
  const orders = [...pages.values()].map(({ parent, order }) => `${parent ?? ''}/${order}`);
  if (new Set(orders).size !== orders.length) found.push('two pages have one order');
  return found;
}

/** Whether a conflict is about an entry, and about a field of it if one is given. */
function isAbout({ of, attribute, kind }: FoundConflict, key: string, field?: string): boolean {
  if ('variable' in of)
    return of.page === undefined
      ? key === keys.variable(of.variable)
      : key === keys.page(of.page) && (field ?? `variable ${of.variable}`) === `variable ${of.variable}`;
  const entry =
    'page' in of ? keys.page(of.page) : 'file' in of ? keys.file(of.file) : keys.reusableContent(of.reusableContent);
  if (entry !== key) return false;
  if (field === undefined || kind === 'delete') return true;
  if (kind === 'move') return field === 'parent';
  if (field === 'text' || field === 'document') return attribute === 'document';
  return attribute === undefined || attribute === field;
}

type Entries = Record<'base' | 'ours' | 'theirs' | 'merged', Record<string, unknown> | undefined>;
type IsTold = (field?: string) => boolean;

/** Where the merged content is not what each field by itself comes to. */
function differencesFrom(
  sides: Record<'base' | 'ours' | 'theirs' | 'merged', Model>,
  conflicts: readonly FoundConflict[],
): string[] {
  const all = new Set(Object.values(sides).flatMap((side) => [...side.keys()]));
  return [...all].flatMap((key) => {
    const [base, ours] = [sides.base.get(key), sides.ours.get(key)];
    const entries = { base, ours, theirs: sides.theirs.get(key), merged: sides.merged.get(key) };
    const isTold: IsTold = (field) => conflicts.some((one) => isAbout(one, key, field));
    if (ours === undefined || entries.theirs === undefined) return presenceOf(key, entries, isTold);
    if (entries.merged === undefined) return [`${key} was lost`];
    return [...fieldsOf(key, entries, isTold), ...textsOf(key, entries, isTold)];
  });
}

function presenceOf(key: string, { base, ours, theirs, merged: now }: Entries, isTold: IsTold): string[] {
  const left = ours ?? theirs;
  const stays = left !== undefined && (base === undefined || !isSame(base, left));
  return (now !== undefined) === stays || isTold() ? [] : [`${key} is ${now === undefined ? 'gone' : 'there'}`];
}

/** Fields whose parts count by themselves. */
const inParts = ['text', 'layout', 'document'];

function fieldsOf(
  key: string,
  { base = {}, ours = {}, theirs = {}, merged: now = {} }: Entries,
  isTold: IsTold,
): string[] {
  const names = new Set([base, ours, theirs].flatMap((side) => Object.keys(side)));
  return [...names].flatMap((name) => {
    if (isTold(name) || inParts.includes(name)) return [];
    const [b, o, t] = [base[name], ours[name], theirs[name]];
    const expected = isSame(o, b) ? t : isSame(t, b) || isSame(o, t) ? o : 'a conflict';
    // A slug that another page has gets a number.
    const isRight = isSame(now[name], expected) || (name === 'slug' && unnumbered(now[name]) === unnumbered(expected));
    return isRight ? [] : [`${key} ${name} is ${JSON.stringify(now[name])}, not ${JSON.stringify(expected)}`];
  });
}

function unnumbered(slug: unknown): string {
  return String(slug).replace(/(-\d+)+$/, '');
}

function textsOf(key: string, { base, ours, theirs, merged: now }: Entries, isTold: IsTold): string[] {
  return isTold('text') ? [] : lostTexts(base, ours, theirs, now).map((text) => `${key} has lost "${text}"`);
}

/** Paragraphs that a side has added and the merged page has not. */
function lostTexts(...[base, ours, theirs, merged]: (Record<string, unknown> | undefined)[]): string[] {
  const list = (side: Record<string, unknown> | undefined): string[] => (side?.['text'] ?? []) as string[];
  const added = [...list(ours), ...list(theirs)].filter((text) => !list(base).includes(text));
  // A word that one side wrote and the other replaced together with the paragraph is a conflict, which has markers.
  return added.filter((text) => !list(merged).some((one) => text.split(' ').every((word) => one.includes(word))));
}

async function merged(
  objects: ContentObjects,
  roots: { base: string; ours: string; theirs: string },
): Promise<MergedContents & { root: string; tree: ContentTree }> {
  const result = await mergeContents(objects, {
    space: 'space',
    pool: 'pool',
    roots,
    mergeDocuments: (documents) => Promise.resolve(mergeDocuments(documents)),
    variables: 500,
  });
  const { root, texts } = await result.draft.written();
  await objects.store('pool', texts);
  return { ...result, root, tree: contentTree(objects, 'pool', root) };
}

describe(`the merge of contents (seed ${seed})`, () => {
  it('is what each page, field and text by itself comes to, and stays in order', async () => {
    await fc.assert(
      fc.asyncProperty(edits, edits, edits, edits, async (first, second, ofOurs, ofTheirs) => {
        const objects = memoryObjects();
        const base = await applyEdits(objects, EMPTY_ROOT, [...first, ...second], 'b');
        const ours = await applyEdits(objects, base, ofOurs, 'o');
        const theirs = await applyEdits(objects, base, ofTheirs, 't');
        const treeOf = (root: string) => contentTree(objects, 'pool', root);
        const { tree, root, conflicts } = await merged(objects, { base, ours, theirs });
        expect(await damageOf(tree)).toEqual([]);
        const sides = {
          base: await modelOf(treeOf(base)),
          ours: await modelOf(treeOf(ours)),
          theirs: await modelOf(treeOf(theirs)),
          merged: await modelOf(tree),
        };
        expect(differencesFrom(sides, conflicts)).toEqual([]);
        // A change request that has taken over the main content, and keeps its versions, merges as it is.
        const back = await merged(objects, { base: theirs, ours: root, theirs });
        expect([back.conflicts, back.root]).toEqual([[], root]);
        const again = await merged(objects, { base, ours, theirs });
        expect(again.root).toBe(root);
      }),
      { seed, numRuns: runs },
    );
  }, 7_200_000);

  it('does not depend on which side is which where nothing excludes each other', async () => {
    await fc.assert(
      fc.asyncProperty(edits, edits, edits, async (first, ofOurs, ofTheirs) => {
        const objects = memoryObjects();
        const base = await applyEdits(objects, EMPTY_ROOT, first, 'b');
        const ours = await applyEdits(objects, base, ofOurs, 'o');
        const theirs = await applyEdits(objects, base, ofTheirs, 't');
        const [one, other] = [
          await merged(objects, { base, ours, theirs }),
          await merged(objects, { base, ours: theirs, theirs: ours }),
        ];
        expect(other.conflicts.length > 0).toBe(one.conflicts.length > 0);
        if (one.conflicts.length > 0) return;
        const titles = async (tree: ContentTree): Promise<unknown> => {
          const model = await modelOf(tree);
          // Whose slug gets a number depends on the side.
          return [...model].map(([key, { slug: _, ...fields }]) => [key, fields]);
        };
        expect(await titles(other.tree)).toEqual(await titles(one.tree));
      }),
      { seed, numRuns: runs },
    );
  }, 7_200_000);
});
