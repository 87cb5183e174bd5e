import {
  countConversation,
  cutTable,
  seedTable,
  startCounting,
  type Terms,
  type WeightTable,
} from '@scriptorium/clustering';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

interface TableDocument {
  /** The organization. */
  _id: string;
  json: string;
  /** Issues that had been extracted when it was cut. */
  cutAt: number;
}

/** A term of fewer texts is in no table: it could be one that only somebody's deleted text had. */
const leastTexts = 3;

function tables({ database }: Pick<Scope, 'database'>): Collection<TableDocument> {
  return database.collection<TableDocument>('op_weight_tables');
}

/** The weight table of an organization, and how many issues it had when the table was cut. */
export async function weightTableOf(
  scope: Pick<Scope, 'database'>,
  organization: string,
): Promise<{ table: WeightTable; cutAt: number }> {
  const found = await tables(scope).findOne({ _id: organization });
  return found === null
    ? { table: seedTable(), cutAt: 0 }
    : { table: JSON.parse(found.json) as WeightTable, cutAt: found.cutAt };
}

/** Cuts the next table from the terms of issues, and stores it. */
export async function cutNextTable(
  scope: Pick<Scope, 'database'>,
  organization: string,
  { terms, version, cutAt }: { terms: readonly Terms[]; version: number; cutAt: number },
): Promise<WeightTable> {
  const counting = startCounting();
  for (const of of terms) countConversation(counting, [of]);
  const cut = cutTable(counting, version);
  const table: WeightTable = {
    ...cut,
    languages: cut.languages.map(([language, { texts, counts }]) => [
      language,
      { texts, counts: counts.filter(([, count]) => count >= leastTexts) },
    ]),
  };
  const _id = organization;
  await tables(scope).replaceOne({ _id }, { json: JSON.stringify(table), cutAt }, { upsert: true });
  return table;
}

export async function dropWeightTable(scope: Pick<Scope, 'database'>, organization: string): Promise<void> {
  await tables(scope).deleteOne({ _id: organization });
}
