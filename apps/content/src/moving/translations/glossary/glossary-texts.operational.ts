import type { GlossaryTranslations } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database' | 'now'>;

/** What an entry of a glossary says. It stands where it can be removed, and not in events. */
interface StoredText {
  /** `<organization>/<entry>/<name>` */
  _id: string;
  organization: string;
  entry: string;
  translations: GlossaryTranslations;
  /** Milliseconds since 1970. */
  at: number;
}

/** An entry and the name of what it says. */
export interface NamedText {
  entry: string;
  text: string;
}

export const glossaryTextIndexes = {
  op_glossary: [{ key: { organization: 1, entry: 1 }, name: 'organization_entry' }],
} as const;

/** Younger ones may belong to a request that is not in the log yet. */
export const youngMs = 60_000;
/** Texts that are asked for at once. */
const askedTogether = 1_000;

function texts({ database }: Pick<Within, 'database'>): Collection<StoredText> {
  return database.collection<StoredText>('op_glossary');
}

const idOf = (organization: string, { entry, text }: NamedText): string => `${organization}/${entry}/${text}`;

/** Keeps what entries say, under one name. Safe to repeat. */
export async function keepTexts(
  scope: Within,
  organization: string,
  text: string,
  entries: ReadonlyMap<string, GlossaryTranslations>,
): Promise<void> {
  if (entries.size === 0) return;
  const at = scope.now();
  await texts(scope).bulkWrite(
    [...entries].map(([entry, translations]) => ({
      updateOne: {
        filter: { _id: idOf(organization, { entry, text }) },
        update: { $set: { organization, entry, translations, at } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}

/** What entries say, by their ids; those whose texts are gone are missing. */
export async function findTexts(
  scope: Pick<Within, 'database'>,
  organization: string,
  named: readonly NamedText[],
): Promise<Map<string, GlossaryTranslations>> {
  const found = new Map<string, GlossaryTranslations>();
  for (let from = 0; from < named.length; from += askedTogether) {
    const ids = named.slice(from, from + askedTogether).map((one) => idOf(organization, one));
    for await (const { entry, translations } of texts(scope).find({ _id: { $in: ids } }))
      found.set(entry, translations);
  }
  return found;
}

/** All that is kept of entries: what they say now, and what they said a moment ago. */
export async function keptTexts(
  scope: Pick<Within, 'database'>,
  organization: string,
  entries: readonly string[],
): Promise<Map<string, GlossaryTranslations[]>> {
  const kept = new Map<string, GlossaryTranslations[]>();
  for await (const { entry, translations } of texts(scope).find({ organization, entry: { $in: [...entries] } }))
    kept.set(entry, [...(kept.get(entry) ?? []), translations]);
  return kept;
}

/** Removes texts that were kept for a change that was refused. */
export async function dropTexts(
  scope: Pick<Within, 'database'>,
  organization: string,
  named: readonly NamedText[],
): Promise<void> {
  await texts(scope).deleteMany({ _id: { $in: named.map((one) => idOf(organization, one)) } });
}

/** Removes what entries have said before, except for the names that they have now. */
export async function dropOldTexts(
  scope: Within,
  organization: string,
  entries: readonly string[],
  current: ReadonlyMap<string, string>,
): Promise<void> {
  const kept = entries.flatMap((entry) => {
    const text = current.get(entry);
    return text === undefined ? [] : [idOf(organization, { entry, text })];
  });
  const at = { $lt: scope.now() - youngMs };
  await texts(scope).deleteMany({ organization, entry: { $in: [...entries] }, _id: { $nin: kept }, at });
}

/** Removes what all entries of an organization say. */
export async function dropGlossaryTexts(scope: Pick<Within, 'database'>, organization: string): Promise<void> {
  await texts(scope).deleteMany({ organization });
}
