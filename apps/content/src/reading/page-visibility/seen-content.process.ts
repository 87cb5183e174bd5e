import type { Scope } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DocumentAnalyses, DocumentAnalysis } from '../analysis/index.js';
import {
  type ContentObjects,
  type ContentTree,
  idIn,
  keys,
  variablesOf,
  type PageAttributes,
  type PageRecord,
  type ReusableContentRecord,
} from '../../versions/index.js';
import { seenBy, type Reader, type Variables } from './reader.js';

/** The content that a reader sees: a tree without the pages that are hidden from them. */
export interface ReaderView {
  tree: ContentTree;
  root: string;
  reader: Reader;
}

/** What the pages that a reader sees lead to. */
export interface Reached {
  files: ReadonlySet<string>;
  reusableContents: ReadonlySet<string>;
  /** Specifications as pages name them, in lower case. */
  specs: ReadonlySet<string>;
}

/** A document as a reader sees it: that of a page, or of a reusable content. */
export interface SeenPart {
  /** The name of the document. */
  name: string;
  analysis: DocumentAnalysis;
  /** What is known of the document as everybody sees it. */
  known: DocumentAnalysis;
}

/** What is needed to tell what a reader sees of the pages of a revision. */
export interface Surroundings {
  pool: string;
  reader: Reader;
  space: Variables;
  /** By id, the names of the documents of reusable contents. */
  contents: ReadonlyMap<string, string>;
}

/** Reusable contents contain each other up to this depth. */
const deepestContents = 5;
/** Pages that are looked at before other requests get their turn. */
const untilTurn = 32;

/** What visitors see of contents: their documents without what conditions hide from them, and what these lead to. */
export class SeenContent {
  constructor(
    private readonly objects: ContentObjects,
    private readonly analyses: DocumentAnalyses,
  ) {}

  /** What all pages need. */
  async surroundings({ tree, reader }: Omit<ReaderView, 'root'>): Promise<Surroundings> {
    const [space, entries] = await Promise.all([variablesOf(tree), tree.range(keys.reusableContents)]);
    const contents = new Map(entries.map(([key, record]) => [idIn(key), (record as ReusableContentRecord).document]));
    return { pool: tree.pool, reader, space, contents };
  }

  /** The documents that a reader sees in a page: its own, then those of the reusable contents that it shows. */
  async partsOf(
    scope: Pick<Scope, 'workers'>,
    around: Surroundings,
    { document, variables }: { document: string | undefined; variables: Variables | undefined },
  ): Promise<SeenPart[]> {
    const parts: SeenPart[] = [];
    const seen = seenBy(around.reader, around.space, variables);
    let level = document === undefined ? [] : [document];
    for (let depth = 0; depth <= deepestContents && level.length > 0; depth += 1) {
      const analyses = await this.analyses.of(scope, around.pool, level);
      const next = new Set<string>();
      for (const name of level) {
        const known = analyses.get(name);
        if (known === undefined || parts.some((part) => part.name === name)) continue;
        const own = await this.analyses.seen(scope, around.pool, { name, known, seen });
        parts.push({ name, analysis: own, known });
        for (const id of own.includes) next.add(around.contents.get(id) ?? '');
      }
      level = [...next].filter((name) => name !== '');
    }
    return parts;
  }

  /** The files and reusable contents that a reader sees somewhere in a content. */
  async reached(scope: Pick<Scope, 'workers'>, view: ReaderView): Promise<Reached> {
    const { tree, root, reader } = view;
    const as = createHash('sha256')
      .update(JSON.stringify([reader.type, reader.claims]))
      .digest('base64url');
    const name = `reached ${tree.pool} ${root} ${as}`;
    const known = this.objects.derived.get(name) as Reached | undefined;
    if (known !== undefined) return known;
    const reached = await this.#reach(scope, view);
    const { files, reusableContents, specs } = reached;
    this.objects.derived.set(name, reached, { size: 10 + files.size + reusableContents.size + specs.size });
    return reached;
  }

  async #reach(scope: Pick<Scope, 'workers'>, view: ReaderView): Promise<Reached> {
    const entries = await view.tree.range(keys.pages);
    const pages = entries.map(([, record]) => record as PageRecord);
    const around = await this.surroundings(view);
    // All at once: one by one they would be asked of the database one by one.
    await this.analyses.of(scope, around.pool, [
      ...pages.flatMap(({ document }) => document ?? []),
      ...around.contents.values(),
    ]);
    const attributes = await view.tree.objects(pages.flatMap(({ attributes: named }) => named ?? []));
    const files = new Set<string>();
    const reusableContents = new Set<string>();
    const specs = new Set<string>();
    const take = (parts: readonly SeenPart[]): void => {
      for (const { analysis } of parts) {
        for (const { ref } of analysis.links) addFile(files, ref);
        for (const id of analysis.includes) if (around.contents.has(id)) reusableContents.add(id);
      }
    };
    for (const [index, { document, target, computed, attributes: named = '' }] of pages.entries()) {
      const { cover, variables } = (attributes.get(named) ?? {}) as PageAttributes;
      for (const ref of [target, cover?.ref, cover?.refDark]) addFile(files, ref);
      for (const { ref } of Object.values<{ ref: unknown }>(computed?.dependencies ?? {})) addSpec(specs, ref);
      take(await this.partsOf(scope, around, { document, variables }));
      if (index % untilTurn === untilTurn - 1) await setImmediate();
    }
    // Sets are gone through with what is added meanwhile. A reusable content that is read alone has no variables of a
    // page.
    for (const id of reusableContents)
      take(await this.partsOf(scope, around, { document: around.contents.get(id), variables: undefined }));
    return { files, reusableContents, specs };
  }
}

/** Adds the file of the same space that a reference names. */
function addFile(found: Set<string>, ref: unknown): void {
  const { kind, space, file } = (ref ?? {}) as Record<string, unknown>;
  if (kind === 'file' && space === undefined && typeof file === 'string') found.add(file);
}

function addSpec(found: Set<string>, ref: unknown): void {
  const { kind, spec } = (ref ?? {}) as Record<string, unknown>;
  if (kind === 'openapi' && typeof spec === 'string') found.add(spec.toLowerCase());
}
