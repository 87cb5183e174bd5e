import { AppError, type GlossaryEntry, type GlossaryTranslations } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { glossaryEntries, type GlossaryEntryDocument } from './glossary-entry.projection.js';
import { findTexts } from './glossary-texts.operational.js';
import { glossary } from './glossary.js';

type EntryRecord = Stored<GlossaryEntryDocument>;

/** Entries of a glossary, the newest first. */
export async function listEntries(
  scope: Scope,
  organization: string,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<GlossaryEntry>> {
  const filter = { organization };
  const page = await findPage<GlossaryEntryDocument>(scope.cursors, {
    model: scope.store.read(glossaryEntries),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  return { ...page, items: await render(scope, page.items) };
}

/** @throws AppError `not_found` */
export async function getEntry(scope: Scope, organization: string, id: string): Promise<GlossaryEntry> {
  const doc = await scope.store.read(glossaryEntries).byId(id);
  const [entry] = doc?.organization === organization ? await render(scope, [doc]) : [];
  if (entry === undefined) throw new AppError('not_found');
  return entry;
}

/** Entries with what they say; one that was deleted or changed this moment is left out. */
async function render(scope: Scope, docs: readonly EntryRecord[]): Promise<GlossaryEntry[]> {
  const [first] = docs;
  if (first === undefined) return [];
  const { organization } = first;
  const named = docs.map(({ _id: entry, text }) => ({ entry, text }));
  const texts = await findTexts(scope, organization, named);
  return docs.flatMap(({ _id: id, createdAt, updatedAt }): GlossaryEntry[] => {
    const translations = texts.get(id);
    if (translations === undefined) return [];
    const location = `${scope.urls.api}/orgs/${organization}/translations-glossary/${id}`;
    return [{ object: 'glossary-entry', id, translations, createdAt, updatedAt, urls: { location } }];
  });
}

type Code = keyof GlossaryTranslations;

/** A term of one language as it is called in another. `target`: `null` for one that is never translated. */
export interface TermOfPair {
  /** The id of its entry. */
  id: string;
  source: string;
  target: string | null;
}

/** The terms of a glossary for a pair of languages, in the order in which they were inserted. */
export async function termsOfPair(
  scope: Pick<Scope, 'store' | 'database'>,
  organization: string,
  { from, to }: { from: Code; to: Code },
): Promise<TermOfPair[]> {
  const { terms } = await scope.store.load(glossary, organization);
  const named = [...terms].map(([entry, text]) => ({ entry, text }));
  const texts = await findTexts(scope, organization, named);
  return named.flatMap(({ entry: id }): TermOfPair[] => {
    const said = texts.get(id);
    const source = said?.[from];
    const target = said?.[to];
    return source == null || target === undefined ? [] : [{ id, source, target }];
  });
}
