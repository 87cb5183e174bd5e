import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { translationsAccess } from './access.js';
import { instructionIndexes } from './instructions.operational.js';
import { pageSegmentIndexes } from './segments/page-segments.operational.js';
import { translationDocuments } from './translation.projection.js';
import { translationHandler } from './translation.run.js';
import { translationSettings } from './translation.settings.js';
import { TranslationsController } from './translations.controller.js';
import { createdTranslationsReactor, requestedTranslationsReactor } from './translations.reactor.js';
import { Translator } from './translator.process.js';

/** Translations of spaces into other languages. */
export const translations = defineDomain({
  name: 'translations',
  settings: translationSettings,
  controllers: [TranslationsController],
  objects: ({ context, settings }) => [new Translator(settings, context.now)],
  projections: [translationDocuments],
  runs: ({ use }) => [translationHandler(use(Translator))],
  reactors: ({ context }) => [createdTranslationsReactor(context), requestedTranslationsReactor],
  resolvers: ({ use }) => translationsAccess(use(ServiceAccess)),
  indexes: { ...instructionIndexes, ...pageSegmentIndexes },
});
