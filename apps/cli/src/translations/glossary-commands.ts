import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { glossaryBounds, type GlossaryEntry } from '@scriptorium/contracts';
import { everyItem } from '../command-line/every-item.js';
import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput, type OrganizationPlace } from '../openapi/place.js';
import { StopError } from '../stop-error.js';
import { entriesOf, fileOf, operationsFor } from './glossary-file.js';

interface FileInput extends CommandInput {
  file: string;
}

/** `scriptorium glossary export`: writes all entries to a file. */
export async function exportGlossaryCommand(input: FileInput): Promise<void> {
  const entries = await allEntries(await placeOf(input));
  try {
    await writeFile(input.file, fileOf(entries));
  } catch (error) {
    throw new StopError(`${input.file} cannot be written`, error);
  }
  input.answer({ file: input.file, entries: entries.length }, `${entries.length} entries\n`);
}

/**
 * `scriptorium glossary import`: inserts and changes the entries of a file. What is there already stays as it is, so a
 * command that broke off is just repeated.
 */
export async function importGlossaryCommand(input: FileInput & { replace: boolean }): Promise<void> {
  const text = await readFile(input.file, 'utf8').catch((error: unknown) => {
    throw new StopError(`there is no file ${input.file}`, error);
  });
  const entries = entriesOf(text);
  const place = await placeOf(input);
  const operations = operationsFor(await allEntries(place), entries, input);
  const params = { organizationId: place.organizationId };
  for (let from = 0; from < operations.length; from += glossaryBounds.operations) {
    input.screen.show(`${from} of ${operations.length} entries`);
    const body = { operations: operations.slice(from, from + glossaryBounds.operations) };
    await place.client.updateGlossaryEntries({ params, body, idempotencyKey: randomUUID() }).catch(explain);
  }
  input.screen.clear();
  const count = (type: string) => operations.filter((one) => one.type === type).length;
  const [inserted, changed, deleted] = [count('insert'), count('update'), count('delete')];
  input.answer({ inserted, changed, deleted }, `${inserted} inserted, ${changed} changed, ${deleted} deleted\n`);
}

async function allEntries({ client, organizationId }: OrganizationPlace): Promise<GlossaryEntry[]> {
  const entries: GlossaryEntry[] = [];
  const read = (cursor: { page?: string }) =>
    client.listGlossaryEntries({ params: { organizationId }, query: { limit: 1_000, ...cursor } }).catch(explain);
  for await (const entry of everyItem(read)) entries.push(entry);
  return entries;
}
