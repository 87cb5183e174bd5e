import { AppError, blaming, type createTranslation, type InputOf } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { findNode, spaces } from '../../library/index.js';
import {
  areEqual,
  dropInstructions,
  findInstructions,
  keepInstructions,
  noInstructions,
  saysNothing,
} from './texts/instructions.operational.js';
import { instruct, open, translation } from './translation.js';
import { create, translations } from './translations.js';
import type { Translator } from './translator.process.js';

type Body = InputOf<typeof createTranslation>['body'];

interface Wanted extends Pick<Body, 'language' | 'source'> {
  organization: string;
  instructions: RichDocument | undefined;
}

/**
 * Creates a translation, which begins with a run. @returns its id
 * @throws AppError as `create` does, `not_found` naming a space that is not there, `invalid_request` for a language
 *   that nothing here translates into
 */
export async function createTranslationOf(
  call: Call,
  translator: Translator,
  { organization, language, source, instructions }: Wanted,
): Promise<string> {
  const { store } = call;
  const spaceLanguage = await languageOf(call, organization, source.space);
  const from = source.language ?? spaceLanguage ?? 'en';
  const id = call.idFor('translation');
  const wanted = {
    ...{ translation: id, source: source.space, from, language, result: call.idFor('translated-space') },
    ...{ spaceLanguage, limit: call.limits.translationsPerOrganization },
  };
  // What is refused must not leave a text behind.
  await store.step('judge').handle(translations, organization, (state) => {
    if (!state.all.has(id)) create(state, wanted);
    return [];
  });
  translator.requirePair(from, language);
  const text = await keep(call, id, instructions ?? noInstructions);
  try {
    await store.handle(translations, organization, (state) => create(state, wanted));
  } catch (error) {
    if (!store.dry) await forget(call, organization, id);
    throw error;
  }
  await store.handle(translation, id, (state) => open(state, text));
  return id;
}

type LanguageCode = Body['language'];

/** The language of a space that can be translated. @throws AppError `not_found` */
async function languageOf(call: Call, organization: string, space: string): Promise<LanguageCode | undefined> {
  const node = await findNode(call, space);
  const isThere = node?.kind === 'space' && node.organization === organization && node.deletedAt === null;
  const doc = isThere ? await call.store.read(spaces).byId(space) : null;
  if (doc === null) throw blaming('not_found', 'body.source.space', 'There is no such space');
  return (doc.language ?? undefined) as LanguageCode | undefined;
}

/** Drops what was stored for a translation that was not created. */
async function forget(call: Call, organization: string, id: string): Promise<void> {
  const state = await call.store.load(translations, organization);
  if (!state.all.has(id)) await dropInstructions(call, id);
}

/** Keeps instructions; their new name, `null` for none. */
async function keep(call: Call, id: string, instructions: RichDocument): Promise<string | null> {
  if (saysNothing(instructions)) return null;
  const name = call.idFor('translation-instructions');
  if (!call.store.dry) await keepInstructions(call, { translation: id, name }, instructions);
  return name;
}

/** Other instructions for a translation. @throws AppError `not_found` */
export async function instructTranslation(call: Call, id: string, instructions: RichDocument): Promise<void> {
  const { instructions: name } = await call.store.load(translation, id);
  const [present = noInstructions] = (await findInstructions(call, [{ translation: id, name }])).values();
  const text = areEqual(present, instructions) ? name : await keep(call, id, instructions);
  await call.store.handle(translation, id, (state) => {
    if (state.requests === 0) throw new AppError('not_found');
    return instruct(state, text);
  });
}
