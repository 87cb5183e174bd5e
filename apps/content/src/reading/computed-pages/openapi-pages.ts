import type { ComputedDocument } from '@scriptorium/contracts';
import {
  readOutline,
  readSpecification,
  type OutlineModel,
  type OutlineOperation,
  type SpecificationTag,
} from '@scriptorium/openapi';
import {
  parseMarkdown,
  RichTextError,
  validate,
  type Block,
  type Node,
  type RichDocument,
} from '@scriptorium/rich-text';
import { nameOfText } from '@scriptorium/tree';
import { UnreadableSource, type SourceInput } from './computed-page.js';

type Ref = { kind: 'openapi'; spec: string } | { kind: 'file'; file: string };
type ShownPart = Extract<ComputedDocument, { type: 'builtin:openapi' }>['props'];

/** A page before its document is stored. */
export interface DraftPage {
  key: string;
  title: string;
  computed: ComputedDocument;
  document: RichDocument;
}

/**
 * The pages of a specification: one for each tag, with its operations, and one with the models if they are wanted.
 * Of a specification of the organization the text is its outline; a file has the whole.
 * @throws UnreadableSource, UnreadableSpecification
 */
export function openAPIPages({ props, dependencies }: SourceInput): DraftPage[] {
  const spec = dependencies['spec'];
  if (spec === undefined) throw new UnreadableSource('It names no specification');
  const ref = spec.ref as Ref;
  const { tags, models } = ref.kind === 'file' ? readSpecification(spec.text) : readOutline(spec.text);
  const pageOf = (title: string, shown: ShownPart, blocks: readonly Block[]): DraftPage => ({
    key: JSON.stringify(shown),
    title,
    computed: { type: 'builtin:openapi', props: shown, dependencies: { spec: { ref } } },
    document: validate({ object: 'document', data: { schemaVersion: 10 }, nodes: blocks }),
  });
  const pages = tags.map((tag) => {
    const doc = tag.operations.length === 0 ? 'info' : 'operations';
    return pageOf(tag.title, { doc, page: tag.name }, blocksOfTag(ref, tag));
  });
  if (props['models'] === true && models.length > 0)
    pages.push(
      pageOf(
        'Models',
        { doc: 'models' },
        models.flatMap((model) => blocksOfModel(ref, model)),
      ),
    );
  const [first] = pages;
  if (props['downloadLink'] === true && first !== undefined) first.document = withDownload(first.document, ref);
  return pages;
}

function withDownload(document: RichDocument, ref: Ref): RichDocument {
  const block = ref.kind === 'file' ? voidBlock('file', { ref }) : voidBlock('content-ref', { ref });
  return validate({ ...document, nodes: [block, ...document.nodes] });
}

function blocksOfTag(ref: Ref, { description, operations }: SpecificationTag): Block[] {
  return [...prose(description), ...operations.flatMap((operation) => blocksOfOperation(ref, operation))];
}

function blocksOfOperation(ref: Ref, { path, method, title, description }: OutlineOperation): Block[] {
  const shown = { ref, path, method };
  const block = ref.kind === 'file' ? voidBlock('swagger', shown) : voidBlock('openapi-operation', shown);
  const keyOf = (part: string): string => stableKey(part, method, path);
  return [heading(keyOf('heading'), title), ...prose(description), { ...block, key: keyOf('operation') }];
}

function blocksOfModel(ref: Ref, { name, description, properties }: OutlineModel): Block[] {
  const schemas = ref.kind === 'file' ? [] : [voidBlock('openapi-schemas', { ref, schemas: [name] })];
  const items = properties.map((property): Block => {
    const about = `${property.type}${property.isRequired ? ', required' : ''}`;
    const text = property.description === '' ? about : `${about}: ${property.description}`;
    return block('list-item', [paragraph([leaf(property.name, [{ object: 'mark', type: 'code' }]), leaf(` ${text}`)])]);
  });
  const list = items.length === 0 ? [] : [block('list-unordered', items)];
  return [heading(stableKey('model', name), name), ...prose(description), ...list, ...schemas];
}

/** A description as blocks; what is too complex for markdown stays as text. */
function prose(markdown: string): Block[] {
  if (markdown.trim() === '') return [];
  try {
    return parseMarkdown(markdown).document.nodes.map(withoutKeys);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    return [paragraph([leaf(markdown)])];
  }
}

/** The same text can stand in several places of a document, where keys have to differ: they are made anew. */
function withoutKeys<T extends object>(node: T): T {
  return JSON.parse(JSON.stringify(node, (name, value: unknown) => (name === 'key' ? undefined : value))) as T;
}

/** A key of a block that stays as long as the part of the specification that it shows. */
function stableKey(...parts: readonly string[]): string {
  return nameOfText(JSON.stringify(parts)).slice(0, 12);
}

function heading(key: string, title: string): Block {
  return { ...block('heading-1', [{ object: 'text', leaves: [leaf(title)] }]), key };
}

function paragraph(leaves: ReturnType<typeof leaf>[]): Block {
  return block('paragraph', [{ object: 'text', leaves }]);
}

function block(type: string, nodes: Node[]): Block {
  return { object: 'block', type, isVoid: false, data: {}, nodes };
}

function voidBlock(type: string, data: object): Block {
  return { object: 'block', type, isVoid: true, data: data as Block['data'] };
}

function leaf(text: string, marks: { object: 'mark'; type: string }[] = []) {
  return { object: 'leaf' as const, text, marks };
}
