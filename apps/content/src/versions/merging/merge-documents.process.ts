import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { canonical, nameOfText } from '@scriptorium/tree';
import {
  mergeDocuments,
  oursAlone,
  type DocumentsToMerge,
  type MergedDocument,
  type MergeDocuments,
} from './merge-documents.js';

/**
 * Documents of one merge up to this length in all are merged by the process itself: longer ones take more than some
 * milliseconds.
 */
const longestInline = 8_192;

const mergeTask = workerTask<typeof mergeDocuments>({
  name: 'merge_documents',
  module: compiledModule('./merge-documents.js', import.meta.url),
  run: 'mergeDocuments',
  withinMs: 10_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The documents take too long to be merged' }),
});

/**
 * Merges the documents of one merge of contents. Short ones are merged by the process itself, and the others by a
 * worker as soon as all of them are longer than that. The same documents are merged once. Documents that take too long
 * stay as ours are, as one conflict.
 */
export function documentMerger({ workers }: Pick<Scope, 'workers'>, deadline: number): MergeDocuments {
  const cache = new Map<string, Promise<MergedDocument>>();
  let length = 0;
  const run = async (documents: DocumentsToMerge, size: number): Promise<MergedDocument> => {
    length += size;
    if (length <= longestInline) return mergeDocuments(documents);
    try {
      return await workers.run(mergeTask, documents, { deadline });
    } catch (error) {
      if (error instanceof AppError && error.reason === 'too_large') return oursAlone(documents.ours);
      throw error;
    }
  };
  return (documents) => {
    const text = canonical(documents, deepest);
    const name = nameOfText(text);
    const merged = cache.get(name) ?? run(documents, text.length);
    cache.set(name, merged);
    return merged;
  };
}

/** JSON levels of documents. */
const deepest = 2_000;
