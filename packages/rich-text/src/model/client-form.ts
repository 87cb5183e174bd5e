import { type Block, type Data, type Fragment, type Json, type Node, type RichDocument } from './types.js';

/** What clients expect of nodes, given or taken back. */
interface Form {
  fragment(part: Fragment, owner: string): Fragment;
  fragments(block: Block): { fragments?: Fragment[] | undefined };
  column(column: { [member: string]: Json | undefined }): Json;
}

const left = 'left';

/**
 * A document as clients expect it in answers: a fragment has its name as its `type`, too, but for cells, whose
 * names are ids; a column of texts says how they are aligned; a picture has a list of fragments. The given document
 * stays as it is.
 */
export function forClients(document: RichDocument): RichDocument {
  return inForm(document, {
    fragment: (part, owner) =>
      owner === 'table' || part.type !== undefined || part.fragment === undefined
        ? part
        : { ...part, type: part.fragment },
    fragments: ({ type, fragments }) => (type === 'image' && fragments === undefined ? { fragments: [] } : {}),
    column: (column) =>
      column['type'] === 'text' && column['textAlignment'] === undefined ? { ...column, textAlignment: left } : column,
  });
}

/** A document of a client without what `forClients` adds: one that is written back as it was read is the same. */
export function fromClients(document: RichDocument): RichDocument {
  return inForm(document, {
    fragment({ type, ...part }, owner) {
      const isName = owner !== 'table' && type === part.fragment;
      return type === undefined || isName ? part : { ...part, type };
    },
    fragments: ({ type, fragments }) => (type === 'image' && fragments?.length === 0 ? { fragments: undefined } : {}),
    column({ textAlignment, ...column }) {
      return textAlignment === undefined || textAlignment === left ? column : { ...column, textAlignment };
    },
  });
}

function inForm(document: RichDocument, form: Form): RichDocument {
  const shownNode = (node: Node): Node => {
    if (node.object === 'text') return node;
    const { type, nodes } = node;
    const added = node.object === 'block' ? form.fragments(node) : {};
    const fragments = 'fragments' in added ? added.fragments : node.fragments?.map((part) => shownPart(part, type));
    const { fragments: _, ...rest } = node;
    return {
      ...rest,
      ...(type === 'table' && { data: shownTable(node.data, form) }),
      ...(nodes && { nodes: nodes.map(shownNode) }),
      ...(fragments && { fragments }),
    } as Node;
  };
  const shownPart = (part: Fragment, owner: string): Fragment =>
    form.fragment({ ...part, nodes: part.nodes.map(shownNode) }, owner);
  return { ...document, nodes: document.nodes.map((block) => shownNode(block) as Block) };
}

function shownTable(data: Data, form: Form): Data {
  const { definition } = data;
  if (!isObject(definition)) return data;
  const columns = Object.entries(definition).map(
    ([id, column]) => [id, isObject(column) ? form.column(column) : column] as const,
  );
  return { ...data, definition: Object.fromEntries(columns) };
}

function isObject(value: Json | undefined): value is { [member: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
