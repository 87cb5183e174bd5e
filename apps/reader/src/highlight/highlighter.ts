import type { Block } from '@scriptorium/rich-text';
import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type WorkerPool } from '@scriptorium/platform/workers';
import { LRUCache } from 'lru-cache';
import type { HtmlNode } from '../rich-text/html.js';
import { codeLines, isPlainCode } from '../rich-text/code.js';
import { textIn } from '@scriptorium/rich-text/reading';
import type { highlight, PlainCode } from './highlight.js';

const task = workerTask<typeof highlight>({
  name: 'highlight',
  module: compiledModule('./highlight.js', import.meta.url),
  run: 'highlight',
  withinMs: 1_000,
  tooCostly: () => new AppError('too_large'),
});

type Lines = readonly HtmlNode[][] | null;

/** Marks the words of code, in threads of their own: what somebody has written must not hold up other pages. */
export interface Highlighter {
  /** The lines of those of these blocks that could be marked. */
  linesOf(blocks: readonly Block[]): Promise<ReadonlyMap<Block, readonly HtmlNode[][]>>;
}

/** Characters of a block of code, and of all in a page, that are marked at most; what is beyond them is shown plain. */
const longest = { block: 50_000, page: 200_000 };
/** Characters of code whose marks are cached. */
const maxCached = 5_000_000;

export function createHighlighter(workers: Pick<WorkerPool, 'run'>): Highlighter {
  const known = new LRUCache<string, { lines: Lines }>({
    maxSize: maxCached,
    sizeCalculation: (_, key) => key.length + 100,
  });
  const mark = async (missing: readonly (readonly [string, PlainCode])[]): Promise<void> => {
    try {
      const marked = await workers.run(
        task,
        missing.map(([, code]) => code),
      );
      missing.forEach(([key], index) => known.set(key, { lines: marked[index] ?? null }));
    } catch (error) {
      // Plain code is better than no page. When too much waits, it is marked the next time.
      if (!(error instanceof AppError) || error.reason !== 'too_large') return;
      const [first] = missing;
      // The one that takes too long stays plain, since it would take as long again.
      if (missing.length === 1 && first !== undefined) known.set(first[0], { lines: null });
      else for (const one of missing) await mark([one]);
    }
  };
  return {
    async linesOf(blocks) {
      const keyed = keyedOf(blocks);
      const missing = [...new Map([...keyed.values()].map((one) => [one[0], one] as const)).values()].filter(
        ([key]) => !known.has(key),
      );
      if (missing.length > 0) await mark(missing);
      const found = new Map<Block, readonly HtmlNode[][]>();
      for (const [block, [key]] of keyed) {
        const lines = known.get(key)?.lines ?? null;
        if (lines !== null) found.set(block, lines);
      }
      return found;
    },
  };
}

function keyedOf(blocks: readonly Block[]): Map<Block, readonly [string, PlainCode]> {
  const keyed = new Map<Block, readonly [string, PlainCode]>();
  let left = longest.page;
  for (const block of blocks) {
    const language = textIn(block.data, 'syntax');
    if (language === '' || language === 'mermaid' || !isPlainCode(block)) continue;
    const text = codeLines(block).join('\n');
    if (text.length > Math.min(longest.block, left)) continue;
    left -= text.length;
    keyed.set(block, [`${language}\n${text}`, { language, text }]);
  }
  return keyed;
}
