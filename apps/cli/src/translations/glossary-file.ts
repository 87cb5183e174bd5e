import { Language, languages, termOfEntry, type GlossaryEntry, type GlossaryOperation } from '@scriptorium/contracts';
import { StopError } from '../stop-error.js';
import { readCsv, writeCsv } from './csv.js';

type Known = Pick<GlossaryEntry, 'id' | 'translations'>;
type Translations = Known['translations'];

/** A term that is never translated into a language. */
const never = '-';

/** All entries as a file: a column for each language that one of them has. */
export function fileOf(entries: readonly Known[]): string {
  const used = languages.filter((language) => entries.some(({ translations }) => language in translations));
  const rows = entries.map(({ id, translations }) => [
    id,
    ...used.map((language) => (translations[language] === null ? never : (translations[language] ?? ''))),
  ]);
  return writeCsv([['id', ...used], ...rows]);
}

interface FileEntry {
  id: string | undefined;
  translations: Translations;
}

/** The entries of a file. @throws StopError with the line */
export function entriesOf(text: string): FileEntry[] {
  const [head, ...rows] = readCsv(text);
  if (head === undefined) throw new StopError('the file is empty');
  const columns = head.cells.map((name) => columnOf(name));
  return rows.map(({ line, cells }) => {
    if (cells.length > columns.length) throw new StopError(`line ${line}: there are more cells than columns`);
    const pairs = columns.map((column, i) => [column, cells[i] ?? ''] as const).filter(([, cell]) => cell !== '');
    const translations: Translations = {};
    for (const [column, cell] of pairs) if (column !== 'id') translations[column] = cell === never ? null : cell;
    if (Object.keys(translations).length < 2) throw new StopError(`line ${line}: there must be two languages`);
    return { id: pairs.find(([column]) => column === 'id')?.[1], translations };
  });
}

function columnOf(name: string): 'id' | keyof Translations {
  const column = name.toLowerCase();
  if (column === 'id') return column;
  const language = Language.safeParse(column);
  if (!language.success) throw new StopError(`line 1: ${name} is no language`);
  return language.data;
}

/** What makes a glossary that of a file. An entry is that of its id, or else of its term: the file
 * may be of another glossary. */
export function operationsFor(
  known: readonly Known[],
  file: readonly FileEntry[],
  { replace }: { replace: boolean },
): GlossaryOperation[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const byTerm = new Map(known.map((entry) => [termOfEntry(entry.translations), entry]));
  const kept = new Set<string>();
  const changes = file.flatMap(({ id, translations }): GlossaryOperation[] => {
    const named = id === undefined ? undefined : byId.get(id);
    const found = named ?? byTerm.get(termOfEntry(translations));
    if (found === undefined || kept.has(found.id)) return [{ type: 'insert', translations }];
    kept.add(found.id);
    return isSame(found.translations, translations) ? [] : [{ type: 'update', id: found.id, translations }];
  });
  const missing = replace ? known.filter(({ id }) => !kept.has(id)) : [];
  // What is deleted first makes room, and its terms are free.
  return [...missing.map(({ id }): GlossaryOperation => ({ type: 'delete', id })), ...changes];
}

function isSame(a: Translations, b: Translations): boolean {
  return languages.every((language) => a[language] === b[language]);
}
