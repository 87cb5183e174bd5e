import {
  AppError,
  blaming,
  termOfEntry,
  type GlossaryOperation,
  type GlossaryTranslations,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { dropTexts, findTexts, keepTexts } from './glossary-texts.operational.js';
import { change, glossary, type Glossary } from './glossary.js';

/** An operation on an entry whose id is known. */
type Change = GlossaryOperation & { id: string };

const mostAttempts = 3;

/**
 * Changes a glossary.
 * @throws AppError as `change` does, `conflict` naming the operation whose term another entry has
 */
export async function changeGlossary(
  call: Call,
  organization: string,
  operations: readonly GlossaryOperation[],
): Promise<void> {
  const changes = operations.map((one, i): Change => ({ id: call.idFor(`glossary-entry ${i}`), ...one }));
  const text = call.idFor('glossary-text');
  for (let attempt = 1; ; attempt += 1) {
    const { state } = await call.store.step(`judge ${attempt}`).handle(glossary, organization, () => []);
    await refuseTwice(call, organization, state, changes);
    try {
      return await record(call, organization, { changes, text, judged: state });
    } catch (error) {
      if (attempt === mostAttempts || !isOvertaken(error)) throw error;
    }
  }
}

/** Whether others have changed the glossary meanwhile. A term that another entry has is named. */
function isOvertaken(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'conflict' && error.details.length === 0;
}

interface Wanted {
  changes: readonly Change[];
  text: string;
  /** The glossary in which the terms are unique. */
  judged: Glossary;
}

/** @throws AppError as `change` does, `conflict` when others have changed the glossary meanwhile */
async function record(call: Call, organization: string, { changes, text, judged }: Wanted): Promise<void> {
  const said = new Map(
    changes.flatMap((one): Array<[string, GlossaryTranslations]> =>
      one.type === 'delete' ? [] : [[one.id, one.translations]],
    ),
  );
  if (!call.store.dry) await keepTexts(call, organization, text, said);
  const limit = call.limits.glossaryEntriesPerOrganization;
  try {
    await call.store.handle(glossary, organization, (state) => {
      if (state.changes !== judged.changes) throw new AppError('conflict');
      return change(state, { changes, text, limit });
    });
  } catch (error) {
    if (!call.store.dry) await forget(call, organization, text, [...said.keys()]);
    throw error;
  }
}

/** Drops what was stored for changes that were refused. */
async function forget(call: Call, organization: string, text: string, entries: readonly string[]): Promise<void> {
  const { terms } = await call.store.load(glossary, organization);
  const unused = entries.filter((entry) => terms.get(entry) !== text);
  await dropTexts(
    call,
    organization,
    unused.map((entry) => ({ entry, text })),
  );
}

/** @throws AppError `conflict` */
async function refuseTwice(
  call: Call,
  organization: string,
  { terms }: Glossary,
  changes: readonly Change[],
): Promise<void> {
  const named = [...terms].map(([entry, text]) => ({ entry, text }));
  const known = await findTexts(call, organization, named);
  for (const { id } of changes) known.delete(id);
  const taken = new Set([...known.values()].map(termOfEntry));
  changes.forEach((one, i) => {
    if (one.type === 'delete') return;
    const term = termOfEntry(one.translations);
    if (taken.has(term))
      throw blaming('conflict', `body.operations[${i}].translations`, 'Another entry is that of this term');
    taken.add(term);
  });
}
