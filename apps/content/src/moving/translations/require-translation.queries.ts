import { AppError } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { translationDocuments, type TranslationDocument } from './translation.projection.js';

/** @throws AppError `not_found` */
export async function requireTranslation(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  id: string,
): Promise<Stored<TranslationDocument>> {
  const doc = await store.read(translationDocuments).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  return doc;
}
