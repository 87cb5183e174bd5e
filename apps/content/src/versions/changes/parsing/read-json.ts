import type { ContentReference } from '@scriptorium/contracts';
import { fromClients, validate, withoutConflicts, type RichDocument } from '@scriptorium/rich-text';
import { referenceIn } from '../references.js';
import { isLookedUp, type LinkTarget } from './looked-up.js';

/** A document of a request as JSON. */
export interface JSONText {
  json: string;
  /** Ids of what the request makes, by the names that it gives. */
  refs: Readonly<Record<string, string>>;
  /** Conflicts that markers may name. */
  openConflicts: readonly string[];
  /** What addresses within the space stand for; `null` for those that lead nowhere. */
  targets: Readonly<Record<string, LinkTarget>>;
}

/**
 * Reads a document that is given as JSON, and makes it fit the format. References name by their ids what the request
 * makes, and addresses within the space lead to what they lead to in markdown.
 * @throws RichTextError
 */
export function readJSON({ json, refs, openConflicts, targets }: JSONText) {
  const given = JSON.parse(json) as object;
  const unknown = resolveAddresses(given, targets);
  const { meta: _, ...document } = fromClients(validate(given));
  const own = withoutConflicts(document, new Set(openConflicts));
  const named = withIds(new Map(Object.entries(refs)), own);
  return { document: named, title: undefined, frontMatter: undefined, unknown };
}

/**
 * Puts what addresses within the space stand for in their place; those that `targets` does not name. Without recursion,
 * so that no nesting can exhaust the stack.
 */
function resolveAddresses(given: object, targets: JSONText['targets']): string[] {
  const unknown = new Set<string>();
  const open: object[] = [given];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const { kind, url } = value as { kind?: unknown; url?: unknown };
    if (kind === 'url' && typeof url === 'string' && isLookedUp(url)) {
      if (!Object.hasOwn(targets, url)) unknown.add(url);
      else resolve(value, targets[url] ?? null);
    }
    for (const child of Object.values(value))
      if (typeof child === 'object' && child !== null) open.push(child as object);
  }
  return [...unknown];
}

function resolve(reference: { url?: unknown }, target: LinkTarget): void {
  if (target === null) return;
  delete reference.url;
  Object.assign(reference, target);
}

/** A document whose references name by their ids what the request makes. */
function withIds(refs: ReadonlyMap<string, string>, document: RichDocument): RichDocument {
  if (refs.size === 0) return document;
  const named = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'kind' in value
      ? referenceIn({ refs }, value as ContentReference)
      : value;
  return JSON.parse(JSON.stringify(document), named) as RichDocument;
}
