/** A page with a document of two paragraphs. */
export interface ModelPage {
  title: string;
  texts: readonly [string, string];
}

export type Pages = ReadonlyMap<string, ModelPage>;

/** A version of the content of a space or a change request. */
export interface Snapshot {
  pages: Pages;
  revision: string;
}

/** What excludes each other, as `<page> title`, `<page> document` or `<page> delete`. */
type Conflicts = ReadonlySet<string>;

/**
 * What a change request (`ours`) and its space (`theirs`) made of the same pages. Where they exclude each other, `ours`
 * stays.
 */
export function mergePages(base: Pages, ours: Pages, theirs: Pages): { pages: Pages; conflicts: Conflicts } {
  const pages = new Map<string, ModelPage>();
  const conflicts = new Set<string>();
  for (const id of new Set([...base.keys(), ...theirs.keys(), ...ours.keys()])) {
    const [b, o, t] = [base.get(id), ours.get(id), theirs.get(id)];
    const merged = o === undefined || t === undefined ? mergePresence(b, o, t) : mergeParts(b ?? o, o, t);
    if (merged.page !== undefined) pages.set(id, merged.page);
    for (const what of merged.conflicts) conflicts.add(`${id} ${what}`);
  }
  return { pages, conflicts };
}

interface MergedPage {
  page: ModelPage | undefined;
  conflicts: string[];
}

function mergePresence(b?: ModelPage, o?: ModelPage, t?: ModelPage): MergedPage {
  const left = o ?? t;
  if (left === undefined || b === undefined) return { page: left, conflicts: [] };
  return isSamePage(b, left) ? { page: undefined, conflicts: [] } : { page: o, conflicts: ['delete'] };
}

function mergeParts(b: ModelPage, o: ModelPage, t: ModelPage): MergedPage {
  const merged = (base: string, ours: string, theirs: string) => (ours === base ? theirs : ours);
  const differ = (base: string, ours: string, theirs: string) => ours !== theirs && ours !== base && theirs !== base;
  const text = (at: 0 | 1) => [b.texts[at], o.texts[at], t.texts[at]] as const;
  return {
    page: { title: merged(b.title, o.title, t.title), texts: [merged(...text(0)), merged(...text(1))] },
    conflicts: [
      ...(differ(b.title, o.title, t.title) ? ['title'] : []),
      ...(differ(...text(0)) || differ(...text(1)) ? ['document'] : []),
    ],
  };
}

function isSamePage(one: ModelPage, other: ModelPage): boolean {
  return one.title === other.title && one.texts.every((text, at) => text === other.texts[at]);
}

export function isSameContent(one: Pages, other: Pages): boolean {
  const isSame = ([id, page]: [string, ModelPage]) => {
    const there = other.get(id);
    return there !== undefined && isSamePage(page, there);
  };
  return one.size === other.size && [...one].every(isSame);
}

export function withPage(pages: Pages, id: string, page: ModelPage | null): Pages {
  const next = new Map(pages);
  if (page === null) next.delete(id);
  else next.set(id, page);
  return next;
}

/** The document of a page as requests have it. Its blocks have the same keys always. */
export function documentOf({ texts }: Pick<ModelPage, 'texts'>): object {
  const nodes = texts.map((text, at) => ({
    object: 'block',
    type: 'paragraph',
    key: `block-${at}`,
    isVoid: false,
    data: {},
    nodes: [{ object: 'text', key: `text-${at}`, leaves: [{ object: 'leaf', text, marks: [] }] }],
  }));
  return { object: 'document', data: { schemaVersion: 1 }, nodes };
}

/** The texts of a document as answers have it. */
export function textsOf(document: unknown): string[] {
  const { nodes } = document as { nodes: object[] };
  return nodes.map((node) => textIn((node as { nodes: unknown }).nodes));
}

function textIn(node: unknown): string {
  if (Array.isArray(node)) return node.map(textIn).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { text, leaves, nodes } = node as { text?: string; leaves?: unknown; nodes?: unknown };
  return `${text ?? ''}${textIn(leaves)}${textIn(nodes)}`;
}
