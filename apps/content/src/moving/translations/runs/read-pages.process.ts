import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { type ContentTree, type PageRecord, type ReusableContentRecord } from '../../../versions/index.js';
import type { PageToRead, putTogether, takeApart } from './page-texts.task.js';
import type { Working } from './working.process.js';

const module = compiledModule('./page-texts.task.js', import.meta.url);
const takeApartTask = workerTask<typeof takeApart>({
  name: 'take_pages_apart',
  module,
  run: 'takeApart',
  withinMs: 30_000,
});
const putTogetherTask = workerTask<typeof putTogether>({
  name: 'put_pages_together',
  module,
  run: 'putTogether',
  withinMs: 30_000,
});
const waitMs = 60_000;

/** What stands under a key of the source. */
export type SourceRecord = PageRecord | ReusableContentRecord;

/** Some of what a run translates: records, and what a worker reads of them. */
export interface ReadGroup {
  records: readonly SourceRecord[];
  pages: readonly PageToRead[];
}

/** Characters of documents that a worker gets at once. */
const charactersTogether = 1_000_000;

/** What stands under keys of the source, a few at a time. Keys that are not there are left out. */
export async function readGroups(
  { objects }: Pick<Working, 'objects'>,
  source: ContentTree,
  keys: readonly string[],
): Promise<ReadGroup[]> {
  const found = await source.getMany(keys);
  const records = [...found].map(([key, record]) => ({ key, record: record as SourceRecord }));
  const names = records.flatMap(({ record }) => record.document ?? []);
  const texts = await objects.texts(source.pool, names);
  const groups: { records: SourceRecord[]; pages: PageToRead[] }[] = [];
  let characters = 0;
  for (const { key, record } of records) {
    const page = pageOf(key, record, texts);
    characters += page.document?.length ?? 0;
    const last = groups.at(-1);
    if (last !== undefined && characters <= charactersTogether) {
      last.records.push(record);
      last.pages.push(page);
    } else {
      groups.push({ records: [record], pages: [page] });
      characters = page.document?.length ?? 0;
    }
  }
  return groups;
}

function pageOf(key: string, record: SourceRecord, texts: ReadonlyMap<string, string>): PageToRead {
  const document = record.document === undefined ? undefined : texts.get(record.document);
  const isPage = 'type' in record;
  return {
    key,
    title: isPage ? record.title : '',
    ...(isPage && record.description !== undefined && { description: record.description }),
    ...(document !== undefined && { document }),
  };
}

/** The segments of pages, found in a worker. */
export function segmentsOfPages({ workers }: Pick<Scope, 'workers'>, input: Parameters<typeof takeApart>[0]) {
  return workers.run(takeApartTask, input, { deadline: Date.now() + waitMs });
}

/** Pages in another language, made in a worker. */
export function pagesWithTexts({ workers }: Pick<Scope, 'workers'>, input: Parameters<typeof putTogether>[0]) {
  return workers.run(putTogetherTask, input, { deadline: Date.now() + waitMs });
}
