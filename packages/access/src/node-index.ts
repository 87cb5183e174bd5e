import {
  createDocumentIndex,
  noIndexWork,
  type Clock,
  type DocumentIndex,
  type IndexSource,
  type IndexWork as DocumentWork,
} from '@scriptorium/event-sourcing';
import { LRUCache } from 'lru-cache';
import { nodeAccess, type NodeAccessDocument } from './node-access.projection.js';
import { createNodeTree, type NodeTree, type VisibleNodes } from './node-tree.js';

/** The part of a service's store that the index reads. */
export type NodeSource = IndexSource<NodeAccessDocument>;

/** The spaces and collections of organizations in the memory of a replica, by the id of the organization. */
export type NodeIndex = DocumentIndex<NodeTree>;

/** The work of the index, for specs and metrics. */
export interface IndexWork extends DocumentWork {
  /** Nodes that were visited for levels and counts. */
  nodes: number;
}

export interface NodeIndexOptions {
  clock: Clock;
  /** The approximate size of all organizations in bytes. The requested organization is kept in any case. */
  maxBytes?: number;
  /** The number of ids in all sets of visible nodes. */
  maxVisible?: number;
  work?: IndexWork;
}

const defaultMaxBytes = 128 * 1024 * 1024;
const defaultMaxVisible = 2_000_000;

export const noWork = (): IndexWork => ({ ...noIndexWork(), nodes: 0 });

/** Creates an index over `nodeAccess`, which the service has to declare. */
export function createNodeIndex(source: NodeSource, options: NodeIndexOptions): NodeIndex {
  const { clock, maxBytes = defaultMaxBytes, maxVisible = defaultMaxVisible, work = noWork() } = options;
  const visible = new LRUCache<string, VisibleNodes>({
    maxSize: maxVisible,
    sizeCalculation: ({ spaces, collections }) => Math.min(maxVisible, spaces.length + collections.length + 16),
  });
  let trees = 0;
  return createDocumentIndex(source, {
    projection: nodeAccess,
    groupedBy: 'organization',
    create: () => createNodeTree(`${(trees += 1)}`, visible, (nodes) => (work.nodes += nodes)),
    clock,
    maxBytes,
    work,
  });
}
