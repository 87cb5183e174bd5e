import {
  countConversation,
  cutTable,
  seedTable,
  startCounting,
  type Terms,
  type WeightTable,
} from '@scriptorium/clustering';
import type { Scope } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';

interface TableDocument {
  /** The organization. */
  _id: string;
  json: string;
  version: number;
  /** Issues that had been extracted when it was cut. */
  cutAt: number;
}

/** A term of fewer texts is in no table: it could be one that only somebody's deleted text had. */
const leastTexts = 3;
/** Bytes of the terms of a table: a document has at most 16 MiB. */
const mostBytes = 4 * 1024 * 1024;
/** What a term has in JSON beside its letters. */
const bytesBeside = 16;
/** Parsed tables that are kept. */
const mostParsed = 8;

type Parsed = { table: WeightTable; cutAt: number };

/** Parsed tables by database and organization: those that were asked last. */
const parsed = new WeakMap<Scope['database'], LRUCache<string, Parsed>>();

function tables({ database }: Pick<Scope, 'database'>): Collection<TableDocument> {
  return database.collection<TableDocument>('op_weight_tables');
}

/** The weight table of an organization, and how many issues it had when the table was cut. */
export async function weightTableOf(scope: Pick<Scope, 'database'>, organization: string): Promise<Parsed> {
  const known = parsed.get(scope.database) ?? new LRUCache<string, Parsed>({ max: mostParsed });
  parsed.set(scope.database, known);
  const facts = await tables(scope).findOne({ _id: organization }, { projection: { version: 1, cutAt: 1 } });
  if (facts === null) return { table: seedTable(), cutAt: 0 };
  const kept = known.get(organization);
  if (kept?.table.version === facts.version && kept.cutAt === facts.cutAt) return kept;
  const found = await tables(scope).findOne({ _id: organization });
  if (found === null) return { table: seedTable(), cutAt: 0 };
  const read = { table: JSON.parse(found.json) as WeightTable, cutAt: found.cutAt };
  known.set(organization, read);
  return read;
}

/** The most frequent terms of each language, so many that all of them have their place in one document. */
export function boundedTable({ languages, ...table }: WeightTable, most = mostBytes): WeightTable {
  const share = Math.floor(most / Math.max(1, languages.length));
  return {
    ...table,
    languages: languages.map(([language, { texts, counts }]) => {
      let room = share;
      const kept = counts.filter(([term, count]) => {
        room -= Buffer.byteLength(term) + bytesBeside;
        return count >= leastTexts && room >= 0;
      });
      return [language, { texts, counts: kept }];
    }),
  };
}

/** Cuts the next table from the terms of issues, and stores it. */
export async function cutNextTable(
  scope: Pick<Scope, 'database'>,
  organization: string,
  { terms, version, cutAt }: { terms: readonly Terms[]; version: number; cutAt: number },
): Promise<WeightTable> {
  const counting = startCounting();
  for (const of of terms) countConversation(counting, [of]);
  const table = boundedTable(cutTable(counting, version));
  const _id = organization;
  await tables(scope).replaceOne({ _id }, { json: JSON.stringify(table), version, cutAt }, { upsert: true });
  return table;
}

export async function dropWeightTable(scope: Pick<Scope, 'database'>, organization: string): Promise<void> {
  await tables(scope).deleteOne({ _id: organization });
  parsed.get(scope.database)?.delete(organization);
}
