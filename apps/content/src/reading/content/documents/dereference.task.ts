import { dereference, links, RichTextError, type RichDocument } from '@scriptorium/rich-text';
import type { ContentRef, Targets } from '../view/content-targets.js';

/** What references are replaced by. */
export interface Replacing {
  /** Reusable contents of the same space, by id. */
  contents: ReadonlyMap<string, RichDocument>;
  /** What references lead to, by the reference as JSON; `undefined` when only reusable contents are replaced. */
  targets: Targets | undefined;
}

/** The references of documents, each once. */
export function refsIn(documents: readonly RichDocument[]): ContentRef[] {
  const found = new Map<string, ContentRef>();
  for (const document of documents) for (const { ref } of links(document)) found.set(JSON.stringify(ref), ref);
  return [...found.values()];
}

/** The same of documents as JSON, which is copied to a worker at once. */
export function refsInTexts(texts: readonly string[]): ContentRef[] {
  return refsIn(texts.map((text) => JSON.parse(text) as RichDocument));
}

/**
 * A document with what its references lead to. One that would become too large with all that it includes keeps its
 * references: it has to stay readable.
 */
export function withTargets(document: RichDocument, { contents, targets }: Replacing): RichDocument {
  try {
    return dereference(document, {
      reusableContent: (ref) => {
        const id = ref['reusableContent'];
        return ref['space'] === undefined && typeof id === 'string' ? (contents.get(id) ?? null) : null;
      },
      ...(targets === undefined ? {} : { target: (ref) => targets.get(JSON.stringify(ref)) ?? null }),
    });
  } catch (error) {
    if (error instanceof RichTextError) return document;
    throw error;
  }
}

/** The same of a document as JSON. */
export function withTargetsInText({
  text,
  contents,
  targets,
}: {
  text: string;
  contents: readonly (readonly [id: string, text: string])[];
  targets: Replacing['targets'];
}): string {
  const parsed = new Map(contents.map(([id, content]) => [id, JSON.parse(content) as RichDocument]));
  return JSON.stringify(withTargets(JSON.parse(text) as RichDocument, { contents: parsed, targets }));
}
