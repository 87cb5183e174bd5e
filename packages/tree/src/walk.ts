import { EMPTY_ROOT, isLeaf, type Part, type Parts } from './part.js';
import { childSpans, readParts, readRoot, type Span } from './spans.js';

/** Parts that are read in one batch. */
const BATCH = 256;

export interface WalkOptions {
  /** Says of which parts all that is below them is known: they are neither named nor read. */
  readonly known?: (name: string) => boolean;
}

/**
 * The names of all parts of a tree, each once, a parent before its children. Reads what is above the leaves, in
 * batches; what the leaves hold is not needed to name them. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function* walk(parts: Parts, root: string, options: WalkOptions = {}): AsyncGenerator<string, void> {
  const { known = () => false } = options;
  if (root === EMPTY_ROOT || known(root)) return;
  yield root;
  const top = await readRoot(parts, root);
  if (top === undefined || isLeaf(top.part)) return;
  let spans = childSpans(top.span, top.part);
  while (spans.length > 0) {
    const batch = spans.slice(0, BATCH).filter(({ name }) => !known(name));
    yield* batch.map(({ name }) => name);
    spans = [...(await childrenOf(parts, batch)), ...spans.slice(BATCH)];
  }
}

async function childrenOf(parts: Parts, spans: readonly Span[]): Promise<Span[]> {
  const inner = spans.filter(({ level }) => level > 0);
  const read = await readParts(
    parts,
    inner.map(({ name }) => name),
  );
  return inner.flatMap((span, at) => {
    const part: Part | undefined = read[at];
    return part === undefined ? [] : childSpans(span, part);
  });
}
