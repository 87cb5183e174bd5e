import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { translationsAccess } from './access.js';
import { dropTranslationTextsCommand, dropTranslationTextsTimer } from './drop-texts.timer.js';
import { dropGlossaryTextsCommand, dropGlossaryTextsTimer } from './glossary/drop-glossary-texts.timer.js';
import { glossaryEntries } from './glossary/glossary-entry.projection.js';
import { glossaryTextIndexes } from './glossary/glossary-texts.operational.js';
import { GlossaryController } from './glossary/glossary.controller.js';
import {
  changedGlossariesReactor,
  closedGlossariesReactor,
  glossariesOfDeletedOrganizationsReactor,
} from './glossary/glossary.reactor.js';
import { instructionIndexes } from './texts/instructions.operational.js';
import { memoryIndexes } from './texts/segment-memory.operational.js';
import { runWorkIndexes } from './runs/run-work.operational.js';
import { pageSegmentIndexes } from './segments/page-segments.operational.js';
import { pinIndexes } from './segments/pins.operational.js';
import { SegmentsController } from './segments/segments.controller.js';
import { accessOfSourcesReactor } from './source/source-access.reactor.js';
import { placesOfSourcesReactor } from './source/source-place.reactor.js';
import {
  completedTranslationsReactor,
  deletedSourcesReactor,
  editedSourcesReactor,
  editedSourcesTimer,
  translateEditsCommand,
} from './source/source-changes.reactor.js';
import { translationDocuments } from './translation.projection.js';
import { translationHandler } from './translation.run.js';
import { translationSettings } from './translation.settings.js';
import { TranslationsController } from './translations.controller.js';
import {
  createdTranslationsReactor,
  replacedInstructionsReactor,
  requestedTranslationsReactor,
} from './translations.reactor.js';
import {
  deletedTranslationsReactor,
  translationsOfDeletedOrganizationsReactor,
  translationsOfPurgedSpacesReactor,
  translationsOfTransferredSpacesReactor,
} from './translations-end.reactor.js';
import { Translator } from './translator.process.js';

/** Translations of spaces into other languages. */
export const translations = defineDomain({
  name: 'translations',
  settings: translationSettings,
  controllers: [TranslationsController, GlossaryController, SegmentsController],
  objects: ({ context, settings }) => [new Translator(settings, context.now)],
  projections: [translationDocuments, glossaryEntries],
  runs: ({ context, use }) => [translationHandler(context, use(Translator), use(ContentObjects))],
  reactors: ({ context, settings }) => [
    editedSourcesReactor(context, settings),
    completedTranslationsReactor(context),
    deletedSourcesReactor,
    accessOfSourcesReactor,
    placesOfSourcesReactor,
    createdTranslationsReactor(context),
    replacedInstructionsReactor,
    requestedTranslationsReactor,
    translationsOfPurgedSpacesReactor,
    translationsOfTransferredSpacesReactor,
    translationsOfDeletedOrganizationsReactor,
    deletedTranslationsReactor(context),
    changedGlossariesReactor(context),
    closedGlossariesReactor(context),
    glossariesOfDeletedOrganizationsReactor,
  ],
  timers: ({ context }) => ({
    [translateEditsCommand]: editedSourcesTimer,
    [dropTranslationTextsCommand]: dropTranslationTextsTimer(context),
    [dropGlossaryTextsCommand]: dropGlossaryTextsTimer(context),
  }),
  resolvers: ({ use }) => translationsAccess(use(ServiceAccess)),
  indexes: {
    ...memoryIndexes,
    ...instructionIndexes,
    ...glossaryTextIndexes,
    ...pageSegmentIndexes,
    ...pinIndexes,
    ...runWorkIndexes,
  },
});
