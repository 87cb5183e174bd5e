import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  runTranslation,
  updateTranslation,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { createTranslationOf, instructTranslation } from './create-translation.process.js';
import { readInstructions } from './texts/read-instructions.js';
import { requireTranslation } from './require-translation.queries.js';
import { requestRun, translation } from './translation.js';
import { remove, translations } from './translations.js';
import { getTranslation as getOne, listTranslations as listAll } from './translations.queries.js';
import { Translator } from './translator.process.js';

/** Translations of the spaces of organizations. */
@Controller()
export class TranslationsController {
  constructor(private readonly translator: Translator) {}

  @Handles(listTranslations)
  list({ params, query }: InputOf<typeof listTranslations>, call: Call) {
    const { organizationId: organization } = params;
    return listAll(this.view(call), { ...query, organization, operation: call.operation });
  }

  @Handles(createTranslation)
  async create({ params, body }: InputOf<typeof createTranslation>, call: Call) {
    const { organizationId: organization } = params;
    const given = body.instructions && readInstructions(body.instructions);
    const id = await createTranslationOf(call, this.translator, { organization, ...body, instructions: given });
    return readAfterCreate(call, () => getOne(this.view(call), { organization, id, given }));
  }

  @Handles(getTranslation)
  get({ params }: InputOf<typeof getTranslation>, call: Call) {
    return getOne(this.view(call), { organization: params.organizationId, id: params.translationId });
  }

  @Handles(updateTranslation)
  async update({ params, body }: InputOf<typeof updateTranslation>, call: Call) {
    const { organizationId: organization, translationId: id } = params;
    await requireTranslation(call, organization, id);
    const given = readInstructions(body.instructions);
    await instructTranslation(call, id, given);
    return getOne(this.view(call), { organization, id, given });
  }

  @Handles(deleteTranslation)
  async remove({ params }: InputOf<typeof deleteTranslation>, call: Call) {
    const { organizationId: organization, translationId: id } = params;
    const { events } = await call.store.handle(translations, organization, (state) => remove(state, id));
    return events.length > 0;
  }

  @Handles(runTranslation)
  async run({ params, body }: InputOf<typeof runTranslation>, call: Call) {
    const { organizationId: organization, translationId: id } = params;
    await requireTranslation(call, organization, id);
    const { pages, force } = body ?? {};
    const wanted = { ...(pages !== undefined && { pages }), ...(force !== undefined && { force }) };
    await call.store.handle(translation, id, (state) => requestRun(state, { cause: 'run', ...wanted }));
  }

  private view(scope: Call) {
    return { scope, translator: this.translator };
  }
}
