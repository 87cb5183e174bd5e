import { getGlossaryEntry, listGlossaryEntries, updateGlossaryEntries, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { changeGlossary } from './change-glossary.process.js';
import { getEntry, listEntries } from './glossary.queries.js';

/** The glossaries of organizations. */
@Controller()
export class GlossaryController {
  @Handles(listGlossaryEntries)
  list({ params, query }: InputOf<typeof listGlossaryEntries>, call: Call) {
    return listEntries(call, params.organizationId, { ...query, operation: call.operation });
  }

  @Handles(updateGlossaryEntries)
  update({ params, body }: InputOf<typeof updateGlossaryEntries>, call: Call) {
    return changeGlossary(call, params.organizationId, body.operations);
  }

  @Handles(getGlossaryEntry)
  get({ params }: InputOf<typeof getGlossaryEntry>, call: Call) {
    return getEntry(call, params.organizationId, params.glossaryEntryId);
  }
}
