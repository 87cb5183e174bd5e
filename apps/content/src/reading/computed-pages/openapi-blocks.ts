import type { OutlineModel, TaggedOperation } from '@scriptorium/openapi';
import { parseMarkdown, RichTextError, type Block, type Node } from '@scriptorium/rich-text';
import { nameOfText } from '@scriptorium/tree';
import { LRUCache } from 'lru-cache';

/** The specification that blocks show parts of. */
export type SpecRef = { kind: 'openapi'; spec: string } | { kind: 'file'; file: string };

/** An operation or a webhook under a heading, with its description. */
export function headedOperation(ref: SpecRef, operation: TaggedOperation): Block[] {
  const { path, method, title, isWebhook } = operation;
  const key = isWebhook ? stableKey('webhook heading', method, path) : stableKey('heading', method, path);
  return [heading(key, title), ...describedOperation(ref, operation)];
}

/** An operation or a webhook whose title stands before it, with its description. */
export function describedOperation(ref: SpecRef, operation: TaggedOperation): Block[] {
  const { path, method, description, isWebhook = false } = operation;
  const key = stableKey(isWebhook ? 'webhook' : 'operation', method, path);
  return [...prose(description), { ...blockOf(ref, { path, method, isWebhook }), key }];
}

function blockOf(ref: SpecRef, { path, method, isWebhook }: { path: string; method: string; isWebhook: boolean }) {
  if (isWebhook) return voidBlock('openapi-webhook', { ref, name: path, method, headless: true });
  const shown = { ref, path, method, headless: true };
  return ref.kind === 'file' ? voidBlock('swagger', shown) : voidBlock('openapi-operation', shown);
}

/** A model under a heading. Of a specification of the organization its block says everything else. */
export function headedModel(ref: SpecRef, { name, description, properties }: OutlineModel): Block[] {
  const title = heading(stableKey('model', name), name);
  if (ref.kind === 'openapi') return [title, voidBlock('openapi-schemas', { ref, schemas: [name] })];
  const items = properties.map((property): Block => {
    const about = `${property.type}${property.isRequired ? ', required' : ''}`;
    const text = property.description === '' ? about : `${about}: ${property.description}`;
    return block('list-item', [paragraph([leaf(property.name, [{ object: 'mark', type: 'code' }]), leaf(` ${text}`)])]);
  });
  const list = items.length === 0 ? [] : [block('list-unordered', items)];
  return [title, ...prose(description), ...list];
}

/** A link to the whole specification. */
export function download(ref: SpecRef): Block {
  return ref.kind === 'file' ? voidBlock('file', { ref }) : voidBlock('content-ref', { ref });
}

/**
 * The blocks of descriptions by their markdown, for the process or worker that makes pages: a new version of a
 * specification has most descriptions of the one before, and reading them is most of what its pages cost.
 */
const knownProse = new LRUCache<string, readonly Block[]>({
  maxSize: 2_000_000,
  sizeCalculation: (_blocks, markdown) => 100 + markdown.length,
});

/** A description as blocks, not to be changed; what is too complex for markdown stays as text. */
export function prose(markdown: string): readonly Block[] {
  if (markdown.trim() === '') return [];
  const known = knownProse.get(markdown);
  if (known !== undefined) return known;
  const blocks = blocksOf(markdown);
  knownProse.set(markdown, blocks);
  return blocks;
}

function blocksOf(markdown: string): Block[] {
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
