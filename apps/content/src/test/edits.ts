import { AppError, type TextChange } from '@scriptorium/contracts';
import { EMPTY_ROOT } from '@scriptorium/tree';
import fc from 'fast-check';
import { makeChanges } from '../versions/changes/index.js';
import { parsePage } from '../versions/changes/parsing/parse-page.js';
import { createDraft, type ContentObjects, type ContentTree } from '../versions/object-store/index.js';
import { idIn, keys, type PageRecord } from '../versions/pages/index.js';

/** An edit before it is known which pages there are: `page` and `into` choose among them. */
export interface Edit {
  kind: (typeof kinds)[number];
  page: number;
  into: number;
  at: number;
  word: number;
}

const kinds = [
  'insert_page',
  'insert_page',
  'insert_group',
  'title',
  'slug',
  'fields',
  'document',
  'document',
  'move',
  'move',
  'delete',
  'variable',
  'page_variable',
  'reusable_content',
  'edit_reusable_content',
  'delete_reusable_content',
] as const;

const choice = fc.nat({ max: 1000 });
export const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    page: choice,
    into: choice,
    at: fc.nat({ max: 4 }),
    word: fc.nat({ max: 5 }),
  }),
  { maxLength: 12 },
);

const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const wordOf = ({ word }: Edit): string => words[word] ?? '';

/** A text in which a word stands in one of three paragraphs. */
function textOf({ word, at }: Edit, before: string): string {
  const paragraphs = before === '' ? ['One.', 'Two.', 'Three.'] : before.split('\n\n');
  paragraphs[at % paragraphs.length] = `Says ${words[word] ?? ''} now.`;
  return paragraphs.join('\n\n');
}

interface World {
  tree: ContentTree;
  pages: { id: string; type: PageRecord['type'] }[];
  reusable: string[];
  texts: Map<string, string>;
}

/** The change that an edit is in this content; `undefined` where it has nothing to be about. */
function changeOf(edit: Edit, world: World): TextChange | undefined {
  const { pages, reusable } = world;
  const word = wordOf(edit);
  const content = chosen(reusable, edit.page);
  const any = chosen(pages, edit.page);
  const made: Partial<Record<Edit['kind'], TextChange | undefined>> = {
    insert_page: {
      operation: 'insert_page',
      title: word,
      into: intoOf(edit, world),
      at: edit.at,
      document: { markdown: textOf(edit, '') },
    },
    insert_group: { operation: 'insert_group', title: word },
    variable: { operation: 'set_variables', variables: { [word]: edit.at === 0 ? null : String(edit.at) } },
    reusable_content: { operation: 'insert_reusable_content', title: word, document: { markdown: textOf(edit, '') } },
    edit_reusable_content:
      content === undefined
        ? undefined
        : { operation: 'update_reusable_content', reusableContent: content, title: word },
    delete_reusable_content:
      content === undefined ? undefined : { operation: 'delete_reusable_content', reusableContent: content },
    delete: any && { operation: any.type === 'group' ? 'delete_group' : 'delete_page', page: any.id },
  };
  return edit.kind in made ? made[edit.kind] : updateOf(edit, world);
}

function chosen<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}

function intoOf({ into }: Edit, { pages }: World): string | null {
  return into % 3 === 0 ? null : (chosen(pages, into)?.id ?? null);
}

/** The change of a page that is there. */
function updateOf(edit: Edit, world: World): TextChange | undefined {
  const documents = world.pages.filter(({ type }) => type === 'document');
  const page = chosen(documents, edit.page)?.id;
  if (page === undefined) return undefined;
  const word = wordOf(edit);
  if (edit.kind === 'page_variable')
    return { operation: 'set_variables', page, variables: { [word]: String(edit.at) } };
  const fields: Partial<Record<Edit['kind'], object>> = {
    title: { title: word },
    slug: { slug: word },
    fields: { description: word, hidden: edit.at % 2 === 0, layout: { outline: edit.at % 2 === 1 } },
    document: { document: { markdown: textOf(edit, world.texts.get(page) ?? '') } },
    move: { into: intoOf(edit, world), at: edit.at },
  };
  return { operation: 'update_page', page, ...fields[edit.kind] };
}

async function worldOf(tree: ContentTree): Promise<World> {
  const pages = (await tree.range(keys.pages)).map(([key, record]) => ({
    id: idIn(key),
    ...(record as PageRecord),
  }));
  const reusable = (await tree.range(keys.reusableContents)).map(([key]) => idIn(key));
  const texts = new Map<string, string>();
  for (const { id, document } of pages) {
    if (document === undefined) continue;
    const { nodes } = (await tree.object(document)) as { nodes: unknown[] };
    const paragraphs = nodes.map((node) => /"text":"([^"]*)"/.exec(JSON.stringify(node))?.[1] ?? '');
    texts.set(id, paragraphs.join('\n\n'));
  }
  return { tree, pages, reusable, texts };
}

/** Applies edits to the content with a root, each as one request; the new root. What is refused changes nothing. */
export async function applyEdits(
  objects: ContentObjects,
  root: string,
  wanted: readonly Edit[],
  side: string,
): Promise<string> {
  let now = root;
  for (const [index, edit] of wanted.entries()) {
    const draft = createDraft(objects, 'pool', now);
    const change = changeOf(edit, await worldOf(draft));
    if (change === undefined) continue;
    try {
      await makeChanges(draft, {
        space: 'space',
        changes: [change],
        newId: (what) => `${side}${index}${what.replace(/\W/g, '')}`,
        parse: (text) => Promise.resolve(parsePage(text)),
        revision: () => Promise.resolve(undefined),
        now: 1_700_000_000_000 + index,
        api: '',
        variables: 500,
      });
    } catch (error) {
      if (error instanceof AppError && error.reason === 'content_change_invalid') continue;
      throw error;
    }
    const { root: next, texts } = await draft.written();
    await objects.store('pool', texts);
    now = next;
  }
  return now;
}

export { EMPTY_ROOT };
