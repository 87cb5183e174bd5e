import type { Scope } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import { setImmediate } from 'node:timers/promises';
import type { ContentView } from '../content/index.js';
import type { DocumentAnalyses, DocumentAnalysis } from '../analysis/index.js';
import {
  type ContentTree,
  attributesOf,
  idIn,
  keys,
  type Page,
  type PageAttributes,
  type PageRecord,
  type ReusableContentRecord,
} from '../../versions/index.js';
import type { ReaderView, SeenContent } from '../page-visibility/index.js';
import { anchorsIn, inNavigation, linksOf, namesOneOf, type Link, type LinkedContent } from './revision-links.js';

/** The links of a revision, and which of them lead to something in the same space that is there. */
export interface RevisionLinks {
  links: readonly Link[];
  /** The keys of links within the space whose target is missing. */
  missing: ReadonlySet<string>;
}

const bytesOfLink = 400;
const bytesOfPlace = 120;

/** The links of revisions. They follow from the tree alone, so what was derived once is never stale. */
export class LinksOfRevisions {
  readonly #known: LRUCache<string, RevisionLinks>;

  constructor(
    private readonly analyses: DocumentAnalyses,
    private readonly seen: SeenContent,
  ) {
    this.#known = new LRUCache({ maxSize: analyses.bytesFor('links'), sizeCalculation: bytesOf });
  }

  /** Those of the content of a view. */
  async of(
    scope: Pick<Scope, 'workers'>,
    view: Pick<ContentView, 'space' | 'tree' | 'root' | 'reader'>,
  ): Promise<RevisionLinks> {
    const { space, tree, root, reader } = view;
    // Hardly two visitors have the same claims: what one sees is not kept for others.
    if (reader !== undefined) return this.#derive(await this.#contentSeen(scope, space, { tree, root, reader }), tree);
    const name = `${space} ${tree.pool} ${root}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = await this.#derive(await this.#contentOf(scope, space, tree), tree);
    this.#known.set(name, found);
    return found;
  }

  async #derive(content: LinkedContent, tree: ContentTree): Promise<RevisionLinks> {
    const links = linksOf(content);
    return { links, missing: await missingOf(tree, content, links) };
  }

  /** Of these anchors of pages, those that are there; `page` and `anchor` are joined by a blank. */
  async anchorsOf(
    scope: Pick<Scope, 'workers'>,
    { tree, reader }: Pick<ContentView, 'tree' | 'reader'>,
    pages: readonly Page[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    if (reader !== undefined) return this.#anchorsSeen(scope, { tree, reader }, pages);
    const contents = await contentsOf(tree);
    const names = [...pages.flatMap(({ document }) => document ?? []), ...contents.values()];
    const analyses = await this.analyses.of(scope, tree.pool, names);
    return new Map(pages.map(({ id, document }) => [id, anchorsIn({ contents, analyses }, document)]));
  }

  async #anchorsSeen(
    scope: Pick<Scope, 'workers'>,
    view: Omit<ReaderView, 'root'>,
    pages: readonly Page[],
  ): Promise<Map<string, ReadonlySet<string>>> {
    const around = await this.seen.surroundings(view);
    const found = new Map<string, ReadonlySet<string>>();
    for (const [index, page] of pages.entries()) {
      await takeTurns(index);
      const { variables } = await attributesOf(view.tree, page);
      const parts = await this.seen.partsOf(scope, around, { document: page.document, variables });
      found.set(page.id, new Set(parts.flatMap(({ analysis }) => analysis.anchors)));
    }
    return found;
  }

  /**
   * The content as a visitor sees it: documents without what conditions hide, and the reusable contents that pages
   * show.
   */
  async #contentSeen(scope: Pick<Scope, 'workers'>, space: string, view: ReaderView): Promise<LinkedContent> {
    const content = await this.#contentOf(scope, space, view.tree);
    const around = await this.seen.surroundings(view);
    const { reusableContents } = await this.seen.reached(scope, view);
    const analyses = new Map<string, DocumentAnalysis>();
    const see = async (id: string, document: string, variables: PageAttributes['variables']): Promise<string> => {
      const [own] = await this.seen.partsOf(scope, around, { document, variables });
      // The same document can look different in two places.
      const name = `${document} ${id}`;
      if (own !== undefined) analyses.set(name, own.analysis);
      return name;
    };
    const pages: Page[] = [];
    for (const [index, page] of content.pages.entries()) {
      await takeTurns(index);
      const { variables } = content.attributes.get(page.attributes ?? '') ?? {};
      pages.push({
        ...page,
        ...(page.document === undefined ? {} : { document: await see(page.id, page.document, variables) }),
      });
    }
    const contents = new Map<string, string>();
    for (const [id, document] of content.contents)
      if (reusableContents.has(id)) contents.set(id, await see(id, document, undefined));
    return { ...content, pages, contents, analyses };
  }

  async #contentOf(scope: Pick<Scope, 'workers'>, space: string, tree: ContentTree): Promise<LinkedContent> {
    const entries = await tree.range(keys.pages);
    const pages = inNavigation(entries.map(([key, record]) => ({ ...(record as PageRecord), id: idIn(key) })));
    const contents = await contentsOf(tree);
    const names = [...pages.flatMap(({ document }) => document ?? []), ...contents.values()];
    const [analyses, attributes] = await Promise.all([
      this.analyses.of(scope, tree.pool, names),
      tree.objects(pages.flatMap(({ attributes }) => attributes ?? [])),
    ]);
    return { space, pages, attributes, contents, analyses };
  }
}

/** Pages that a reader is shown before other requests get their turn. */
const untilTurn = 32;

async function takeTurns(index: number): Promise<void> {
  if (index % untilTurn === untilTurn - 1) await setImmediate();
}

async function contentsOf(tree: ContentTree): Promise<Map<string, string>> {
  const entries = await tree.range(keys.reusableContents);
  return new Map(entries.map(([key, record]) => [idIn(key), (record as ReusableContentRecord).document]));
}

function bytesOf({ links }: RevisionLinks): number {
  return links.reduce((sum, { key, places }) => sum + bytesOfLink + 4 * key.length + places.length * bytesOfPlace, 1);
}

/** The keys of links to pages, files and reusable contents of the same space that are not there. */
async function missingOf(
  tree: ContentTree,
  content: LinkedContent,
  links: readonly Link[],
): Promise<ReadonlySet<string>> {
  const pages = new Map(content.pages.map((page) => [page.id, page]));
  const files = links.flatMap(({ target }) =>
    target.kind === 'file' && target.space === undefined ? keys.file(target.file) : [],
  );
  const present = await tree.getMany(files);
  const anchors = new Map<string, ReadonlySet<string>>();
  const hasAnchor = (document: string | undefined, anchor: string): boolean => {
    if (document === undefined) return false;
    const known = anchors.get(document) ?? anchorsIn(content, document);
    anchors.set(document, known);
    return namesOneOf(anchor, known);
  };
  const isThere = ({ target, places }: Link): boolean => {
    switch (target.kind) {
      case 'page':
        return target.space !== undefined || pages.has(target.page);
      case 'file':
        return target.space !== undefined || present.has(keys.file(target.file));
      case 'reusable-content':
        return target.space !== undefined || content.contents.has(target.reusableContent);
      case 'anchor': {
        if (target.space !== undefined) return true;
        if (target.page === undefined) return hasAnchor(content.contents.get(places[0]?.id ?? ''), target.anchor);
        const page = pages.get(target.page);
        return page !== undefined && hasAnchor(page.document, target.anchor);
      }
      default:
        return true;
    }
  };
  return new Set(links.filter((link) => !isThere(link)).map(({ key }) => key));
}
