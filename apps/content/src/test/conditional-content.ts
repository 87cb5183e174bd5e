import { EMPTY_ROOT } from '@scriptorium/tree';
import fc from 'fast-check';
import { createDraft, type ContentObjects } from '../versions/object-store/index.js';
import { keys } from '../versions/pages/index.js';

/** Who looks: the values that conditions can read. */
export interface Looker {
  a: boolean;
  plan: 'free' | 'paid' | undefined;
  agent: boolean;
}

/** Conditions with their meaning, written without the language of conditions. `vars`: those of the page. */
export const conditions: Record<string, (looker: Looker, vars: Record<string, string>) => boolean> = {
  'visitor.claims.a': ({ a }) => a,
  '!visitor.claims.a': ({ a }) => !a,
  'visitor.claims.plan == "paid"': ({ plan }) => plan === 'paid',
  'visitor.type == "agent"': ({ agent }) => agent,
  'page.vars.tone == "loud"': (_looker, { tone }) => tone === 'loud',
  'space.vars.edition == "cloud"': () => true,
  'visitor.claims.nothing.below': () => false,
  'broken(': () => false,
};

export type Part =
  | { kind: 'word'; word: number }
  | { kind: 'file' | 'page' | 'include'; to: number }
  | { kind: 'if'; condition: string; parts: Part[] };

/** A page; `parent` counts back from it, 0 stands for the top. */
export interface MadePage {
  parent: number;
  condition: string | undefined;
  loud: boolean;
  noIndex: boolean;
  /** An entry of the navigation that leads to another page. */
  leadsTo: number | undefined;
  parts: Part[];
}

export interface MadeContent {
  pages: MadePage[];
  contents: Part[][];
}

export const words = ['apricot', 'bramble', 'cinder', 'dahlia', 'elderberry', 'foxglove'];
export const fileCount = 4;

const condition = fc.constantFrom(...Object.keys(conditions));
const small = fc.nat({ max: 9 });
const leaf: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('word' as const), word: fc.nat({ max: words.length - 1 }) }),
  fc.record({ kind: fc.constantFrom('file' as const, 'page' as const, 'include' as const), to: small }),
);
const { parts } = fc.letrec<{ parts: Part[]; part: Part }>((tie) => ({
  parts: fc.array(tie('part'), { maxLength: 4 }),
  part: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.record({ kind: fc.constant('if' as const), condition, parts: tie('parts') }),
  ),
}));
export const madeContent: fc.Arbitrary<MadeContent> = fc.record({
  pages: fc.array(
    fc.record({
      parent: fc.nat({ max: 3 }),
      condition: fc.option(condition, { nil: undefined }),
      loud: fc.boolean(),
      noIndex: fc.boolean(),
      leadsTo: fc.option(small, { nil: undefined, freq: 5 }),
      parts,
    }),
    { minLength: 1, maxLength: 8 },
  ),
  contents: fc.array(parts, { maxLength: 4 }),
});
export const looker: fc.Arbitrary<Looker> = fc.record({
  a: fc.boolean(),
  plan: fc.constantFrom('free', 'paid', undefined),
  agent: fc.boolean(),
});

export const pageId = (index: number): string => `page${index}`;
export const fileId = (index: number): string => `file${index % fileCount}`;
export const contentId = (index: number): string => `shared${index}`;
/** The index of the page that contains one; `undefined` at the top. Entries of the navigation contain nothing. */
export function parentOf({ pages }: MadeContent, index: number): number | undefined {
  const { parent = 0 } = pages[index] ?? {};
  const above = index - parent;
  return parent === 0 || above < 0 || pages[above]?.leadsTo !== undefined ? undefined : above;
}

const text = (value: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const block = (type: string, data: object, nodes: object[]) => ({ object: 'block', type, isVoid: false, data, nodes });
const paragraph = (...nodes: object[]) => block('paragraph', {}, nodes);
const link = (ref: object) => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes: [text('there')],
});

function nodeOf(part: Part, made: MadeContent): object {
  switch (part.kind) {
    case 'word':
      return paragraph(text(words[part.word] ?? ''));
    case 'file':
      return paragraph(link({ kind: 'file', file: fileId(part.to) }));
    case 'page':
      return paragraph(link({ kind: 'page', page: pageId(part.to) }));
    case 'include': {
      const ref = { kind: 'reusable-content', reusableContent: contentId(part.to) };
      return { object: 'block', type: 'reusable-content', isVoid: true, data: { ref } };
    }
    case 'if':
      return block(
        'if',
        { expression: part.condition },
        part.parts.map((one) => nodeOf(one, made)),
      );
  }
}

/** Stores the content; the root of its tree. */
export async function storeContent(objects: ContentObjects, made: MadeContent): Promise<string> {
  const draft = createDraft(objects, 'pool', EMPTY_ROOT);
  const documentOf = (all: Part[], title: string): string =>
    draft.add({ object: 'document', data: { title }, nodes: all.map((part) => nodeOf(part, made)) });
  draft.put(keys.variable('edition'), 'cloud');
  for (let index = 0; index < fileCount; index += 1)
    draft.put(keys.file(fileId(index)), {
      name: fileId(index),
      hash: '0'.repeat(64),
      size: 1,
      contentType: 'text/plain',
    });
  for (const [index, all] of made.contents.entries())
    draft.put(keys.reusableContent(contentId(index)), { title: contentId(index), document: documentOf(all, '') });
  for (const [index, page] of made.pages.entries()) {
    const id = pageId(index);
    const parent = parentOf(made, index);
    const order = `a${index}`;
    const common = {
      title: id,
      order,
      createdAt: '',
      updatedAt: '',
      ...(parent === undefined ? {} : { parent: pageId(parent) }),
    };
    draft.put(keys.child(parent === undefined ? undefined : pageId(parent), order, id), true);
    if (page.leadsTo !== undefined) {
      draft.put(keys.page(id), { ...common, type: 'link', target: { kind: 'page', page: pageId(page.leadsTo) } });
      continue;
    }
    draft.put(keys.slug(parent === undefined ? undefined : pageId(parent), id), id);
    draft.put(keys.page(id), {
      ...common,
      type: 'document',
      slug: id,
      document: documentOf(page.parts, ''),
      ...(page.condition === undefined ? {} : { condition: page.condition }),
      ...(page.noIndex ? { noIndex: true } : {}),
      ...(page.loud ? { attributes: draft.add({ variables: { tone: 'loud' } }) } : {}),
    });
  }
  const { root, texts } = await draft.written();
  await objects.store('pool', texts);
  return root;
}
