import {
  getTranslationGlossaryEntry,
  listTranslationGlossaryEntries,
  updateTranslationGlossary,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { changeGlossary } from './change-glossary.process.js';
import { getEntry, listEntries } from './glossary.queries.js';

/** The glossaries of organizations. */
@Controller()
export class GlossaryController {
  @Handles(listTranslationGlossaryEntries)
  list({ params, query }: InputOf<typeof listTranslationGlossaryEntries>, call: Call) {
    return listEntries(call, params.organizationId, { ...query, operation: call.operation });
  }

  @Handles(updateTranslationGlossary)
  update({ params, body }: InputOf<typeof updateTranslationGlossary>, call: Call) {
    return changeGlossary(call, params.organizationId, body.operations);
  }

  @Handles(getTranslationGlossaryEntry)
  get({ params }: InputOf<typeof getTranslationGlossaryEntry>, call: Call) {
    return getEntry(call, params.organizationId, params.entryId);
  }
}
