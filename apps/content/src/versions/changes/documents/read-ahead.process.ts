import type { ContentChange } from '@scriptorium/contracts';
import { isSame } from '@scriptorium/tree';
import { availableParallelism } from 'node:os';
import { findPage, keys, type ReusableContentRecord } from '../../pages/index.js';
import type { ChangeContext } from '../context.js';
import type { PageText, ParsedPage, ParsePage } from '../parsing/parse-page.js';
import { textToRead, type DocumentPlace } from './read-document.process.js';
import { idOf } from '../references.js';

/**
 * Documents of a request that are read side by side: one in each worker, so that none of another request waits for more
 * than these.
 */
const atOnce = Math.max(2, availableParallelism());

/** Characters of documents that are worth it to be read side by side. */
const worthIt = 16_384;

interface Ahead {
  text: PageText;
  read: Promise<ParsedPage>;
}

/**
 * Reads the documents of changes before the changes are made, several side by side, as far as what they are read with
 * is known: what is there, and what the request names. Returns what reads them afterwards. A document that is then read
 * with something else, because a change before has made it so, is read again.
 */
export async function readAhead(context: ChangeContext, changes: readonly ContentChange[]): Promise<ParsePage> {
  const wanted = changes.filter((change) => 'document' in change && change.document !== undefined);
  const length = wanted.reduce((sum, change) => sum + lengthOf(change), 0);
  if (wanted.length < 2 || length < worthIt) return context.parse;
  const ahead = new Map<string, Ahead>();
  const open = wanted.values();
  const lane = async (): Promise<void> => {
    for (const change of open) {
      const text = await textIn(context, change);
      if (text === undefined) continue;
      const read = context.parse(text);
      ahead.set(ownText(text), { text, read });
      // A refusal is for the change, when its turn comes.
      await read.catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return (text) => {
    const known = ahead.get(ownText(text));
    return known !== undefined && isSame(known.text, text) ? known.read : context.parse(text);
  };
}

const ownText = (text: PageText): string => ('json' in text ? text.json : text.markdown);

/** About how long the document of a change is. */
export function lengthOf(change: ContentChange): number {
  if (!('document' in change) || change.document === undefined) return 0;
  const given = change.document as { markdown?: unknown };
  // A document as JSON is short only by chance.
  return typeof given.markdown === 'string' ? given.markdown.length : worthIt;
}

/**
 * The text of a change as it is read if none of the changes before matters. `undefined` where there is nothing to read
 * it for.
 */
async function textIn(context: ChangeContext, change: ContentChange): Promise<PageText | undefined> {
  const place = await placeIn(context, change);
  if (place === undefined || !('document' in change) || change.document === undefined) return undefined;
  return textToRead(context, change.document, place);
}

async function placeIn(context: ChangeContext, change: ContentChange): Promise<DocumentPlace | undefined> {
  const { draft } = context;
  switch (change.operation) {
    case 'insert_page': {
      const { into } = change;
      const parent = into === undefined || into === null ? undefined : idOf(context, into);
      return { record: undefined, parent, previous: undefined, titles: {} };
    }
    case 'update_page': {
      const record = await findPage(draft, idOf(context, change.page));
      if (record === undefined) return undefined;
      const titles = { given: change.title, own: record.title };
      return { record, parent: record.parent, previous: record.document, titles };
    }
    case 'insert_reusable_content':
      return { record: undefined, parent: undefined, previous: undefined, titles: { given: change.title } };
    case 'update_reusable_content': {
      const key = keys.reusableContent(idOf(context, change.reusableContent));
      const record = (await draft.get(key)) as ReusableContentRecord | undefined;
      if (record === undefined) return undefined;
      const titles = { given: change.title ?? record.title, own: record.title };
      return { record: undefined, parent: undefined, previous: record.document, titles };
    }
    default:
      return undefined;
  }
}
