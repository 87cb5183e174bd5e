import { contentBounds, type ComputedDocument } from '@scriptorium/contracts';
import { readOutline, readSpecification, type SpecificationTag, type TaggedOperation } from '@scriptorium/openapi';
import { validate, type Block, type RichDocument } from '@scriptorium/rich-text';
import { UnreadableSource, type SourceInput } from './computed-page.js';
import { describedOperation, download, headedModel, headedOperation, prose, type SpecRef } from './openapi-blocks.js';

type ShownPart = Extract<ComputedDocument, { type: 'builtin:openapi' }>['props'];

/** A page before its document is stored. */
export interface DraftPage {
  key: string;
  title: string;
  /** The key of the page that it stands below. */
  parent?: string;
  computed: ComputedDocument;
  document: RichDocument;
}

const most = { operations: 100, models: 3_000, levels: 4 };

/**
 * The pages of a specification: one for each tag, with its operations and webhooks, or one for each of these below that
 * of its tag; and one with the models if they are wanted. Of a specification of the organization the text is its
 * outline; a file has the whole.
 * @throws UnreadableSource, UnreadableSpecification
 */
export function openAPIPages({ props, dependencies }: SourceInput): DraftPage[] {
  const spec = dependencies['spec'];
  if (spec === undefined) throw new UnreadableSource('It names no specification');
  const ref = spec.ref as SpecRef;
  const { tags, models } = ref.kind === 'file' ? readSpecification(spec.text) : readOutline(spec.text);
  const isByOperation = props['grouping'] === 'operation';
  const parents = parentsOf(tags);
  const byName = new Map(tags.map((tag) => [tag.name, tag]));
  const placeOf = (tag: SpecificationTag): { parent?: string } => {
    const parent = byName.get(parents.get(tag.name) ?? '');
    return parent === undefined ? {} : { parent: keyOf(partOf(parent, isByOperation)) };
  };
  const pages = tags.flatMap((tag) =>
    isByOperation ? pagesOfOperations(ref, tag, placeOf(tag)) : pagesOfTag(ref, tag, placeOf(tag)),
  );
  if (props['models'] === true && models.length > 0) {
    const blocks = models.slice(0, most.models).flatMap((model) => headedModel(ref, model));
    pages.push(pageOf(ref, 'Models', { doc: 'models' }, blocks));
  }
  const [first] = pages;
  const mayLoad = ref.kind === 'file' || spec.isPublic === true;
  if (props['downloadLink'] === true && mayLoad && first !== undefined)
    first.document = validate({ ...first.document, nodes: [download(ref), ...first.document.nodes] });
  return pages;
}

/** The part that the first page of a tag shows. */
function partOf({ name, operations }: SpecificationTag, isByOperation: boolean): ShownPart {
  return { doc: isByOperation || operations.length === 0 ? 'info' : 'operations', page: name };
}

/** A tag with many operations has several pages beside each other. */
function pagesOfTag(ref: SpecRef, tag: SpecificationTag, place: { parent?: string }): DraftPage[] {
  const { title, description, operations } = tag;
  const pages: DraftPage[] = [];
  for (let start = 0; start === 0 || start < operations.length; start += most.operations) {
    const part = start / most.operations + 1;
    const shown = { ...partOf(tag, false), ...(part > 1 && { part }) };
    const blocks = operations
      .slice(start, start + most.operations)
      .flatMap((operation) => headedOperation(ref, operation));
    const named = part === 1 ? title : `${title} (${part})`;
    pages.push({ ...pageOf(ref, named, shown, [...(part === 1 ? prose(description) : []), ...blocks]), ...place });
  }
  return pages;
}

function pagesOfOperations(ref: SpecRef, tag: SpecificationTag, place: { parent?: string }): DraftPage[] {
  const { title, description, operations } = tag;
  const own = pageOf(ref, title, partOf(tag, true), prose(description));
  const below = operations.map((operation) => {
    const shown = partOfOperation(operation);
    return { ...pageOf(ref, operation.title, shown, describedOperation(ref, operation)), parent: own.key };
  });
  return [{ ...own, ...place }, ...below];
}

function partOfOperation({ method, path, isWebhook }: TaggedOperation): ShownPart {
  return isWebhook === true ? { doc: 'webhook', method, name: path } : { doc: 'operation', method, path };
}

function pageOf(ref: SpecRef, title: string, shown: ShownPart, blocks: readonly Block[]): DraftPage {
  return {
    key: keyOf(shown),
    title: title.slice(0, contentBounds.title).toWellFormed(),
    computed: { type: 'builtin:openapi', props: shown, dependencies: { spec: { ref } } },
    document: validate({ object: 'document', data: { schemaVersion: 10 }, nodes: blocks }),
  };
}

function keyOf(shown: ShownPart): string {
  return JSON.stringify(shown);
}

/** The tags that tags stand below. One that would stand below itself, or too deep, stands at the top. */
function parentsOf(tags: readonly SpecificationTag[]): Map<string, string> {
  const named = new Map(tags.map(({ name, parent }) => [name, parent]));
  const parents = new Map<string, string>();
  for (const { name, parent } of tags) {
    if (parent === undefined || !named.has(parent)) continue;
    const above = new Set([name]);
    let next: string | undefined = parent;
    while (next !== undefined && !above.has(next) && above.size <= most.levels) {
      above.add(next);
      next = named.get(next);
    }
    if (next === undefined) parents.set(name, parent);
  }
  return parents;
}
