import type { BlockDifference, DocumentDifference } from '@scriptorium/contracts';
import { diff, toMarkdown, type Block, type Change, type RichDocument } from '@scriptorium/rich-text';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A document on one side of a comparison, as the JSON that is stored. `title`: of its page. */
export interface Side {
  text: string;
  title?: string | undefined;
}

/** Two documents that are compared; one side is absent for what was made or deleted. */
export interface ComparedTexts {
  /** What the diff calls the document, without `a/` and `b/`. */
  file: string;
  before: Side | undefined;
  after: Side | undefined;
}

/** Characters of one form of a difference, and the time for its lines, ms. */
const [mostCharacters, withinMs] = [256 * 1024, 2_000];
const empty: RichDocument = { object: 'document', data: {}, nodes: [] };

/** What changed from one document to another, as lines and as blocks. Pure, and runs in a worker. */
export function differenceOf({
  file,
  before,
  after,
}: ComparedTexts): Pick<DocumentDifference, 'unified' | 'blocks' | 'truncated'> {
  const [was, is] = [documentOf(before), documentOf(after)];
  const unified = createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${file}`,
    after === undefined ? '/dev/null' : `b/${file}`,
    markdownOf(before, was),
    markdownOf(after, is),
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: withinMs },
  );
  const all = diff(was, is).map(shown);
  const blocks = fitting(all);
  const isShort = unified !== undefined && unified.length <= mostCharacters;
  return {
    ...(isShort ? { unified } : {}),
    blocks,
    ...(isShort && blocks.length === all.length ? {} : { truncated: true }),
  };
}

function documentOf(side: Side | undefined): RichDocument {
  return side === undefined ? empty : (JSON.parse(side.text) as RichDocument);
}

function markdownOf(side: Side | undefined, document: RichDocument): string {
  if (side === undefined) return '';
  return toMarkdown(document, {
    refs: 'stable',
    ...(side.title === undefined ? {} : { context: 'page', title: side.title }),
  });
}

function shown(change: Change): BlockDifference {
  const { kind, key, parent, index } = change;
  return {
    ...{ kind, key, parent, index },
    ...('from' in change ? { from: change.from } : {}),
    ...('before' in change ? { before: blockMarkdown(change.before) } : {}),
    ...('after' in change ? { after: blockMarkdown(change.after) } : {}),
  };
}

function blockMarkdown(block: Block): string {
  return toMarkdown({ ...empty, nodes: [block] }, { refs: 'stable' });
}

/** The first differences that are short enough together. */
function fitting(all: readonly BlockDifference[]): BlockDifference[] {
  let left = mostCharacters;
  return all.filter(({ before = '', after = '' }) => (left -= before.length + after.length) >= 0);
}
