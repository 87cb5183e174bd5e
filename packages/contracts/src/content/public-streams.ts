import { publicStream } from '../kernel/public-streams.js';
import { getCollectionById } from './library/collections.js';
import { branchEventSchemas, collectionEventSchemas, libraryEventSchemas, spaceEventSchemas } from './events.js';
import { specEventSchemas } from './openapi/spec-events.js';
import { listOpenAPISpecs } from './openapi/specs.js';
import { getRevisionById } from './versions/revisions.js';
import { getSpaceById } from './library/spaces.js';
import { listGlossaryEntries } from './translations/glossary.js';
import {
  glossaryEventSchemas,
  translationEventSchemas,
  translationListEventSchemas,
} from './translations/translation-events.js';
import { listTranslations } from './translations/translations.js';

const base = { service: 'content' } as const;
const { SpaceAdded, SpaceMoved, SpaceDeleted, SpaceRestored, SpacePurgeBegan, SpacePurged, SpaceLeft } =
  libraryEventSchemas;
const { CollectionAdded, CollectionMoved, CollectionDeleted, CollectionPurgeBegan, CollectionPurged, CollectionLeft } =
  libraryEventSchemas;

/** Streams of content whose events audit and change feed tell. */
export const contentStreams = [
  publicStream({
    ...base,
    entity: 'library',
    schemas: { SpaceAdded, SpaceMoved, SpaceDeleted, SpaceRestored, SpacePurgeBegan, SpacePurged, SpaceLeft },
    untold: ['SpacePurgeBegan'],
    ends: ['SpacePurged'],
    target: { object: 'space', idIn: 'space' },
    shownBy: getSpaceById,
  }),
  publicStream({
    ...base,
    entity: 'space',
    schemas: spaceEventSchemas,
    // A space exists from `SpaceAdded` on. Whose content it has is told of the translation.
    untold: ['SpaceCreated', 'SpaceHeld', 'SpaceReleased'],
    target: { object: 'space' },
    shownBy: getSpaceById,
  }),
  publicStream({
    ...base,
    entity: 'library',
    schemas: {
      CollectionAdded,
      CollectionMoved,
      CollectionDeleted,
      CollectionPurgeBegan,
      CollectionPurged,
      CollectionLeft,
    },
    untold: ['CollectionPurgeBegan'],
    ends: ['CollectionPurged'],
    target: { object: 'collection', idIn: 'collection' },
    shownBy: getCollectionById,
  }),
  publicStream({
    ...base,
    entity: 'collection',
    schemas: collectionEventSchemas,
    // A collection exists from `CollectionAdded` on.
    untold: ['CollectionCreated'],
    target: { object: 'collection' },
    shownBy: getCollectionById,
  }),
  publicStream({
    ...base,
    entity: 'branch',
    schemas: branchEventSchemas,
    // A branch begins with its space or change request, and what happens to a change request is told by collaboration.
    untold: ['BranchOpened', 'BranchUpdated', 'BranchConflictsResolved', 'BranchMerged', 'BranchReopened'],
    target: { object: 'revision', idIn: 'revision' },
    within: { spaceId: 'space' },
    shownBy: getRevisionById,
  }),
  publicStream({
    ...base,
    entity: 'specs',
    schemas: specEventSchemas,
    // What is told is what somebody did, and each version. A deleted organization is told by itself.
    untold: [
      'OpenAPISpecUpdateRequested',
      'OpenAPISpecProcessingStarted',
      'OpenAPISpecChecked',
      'OpenAPISpecProcessingFailed',
      'OpenAPISpecsClosed',
    ],
    target: { object: 'openapi-spec', idIn: 'spec' },
    shownBy: listOpenAPISpecs,
  }),
  publicStream({
    ...base,
    entity: 'translations',
    schemas: translationListEventSchemas,
    untold: ['TranslationsClosed'],
    target: { object: 'translation', idIn: 'translation' },
    shownBy: listTranslations,
  }),
  publicStream({
    ...base,
    entity: 'translation',
    schemas: translationEventSchemas,
    // Runs are told when they have ended. `TranslationDeleted` tells that a translation has.
    untold: ['TranslationRunRequested', 'TranslationRunStarted', 'TranslationEnded'],
    target: { object: 'translation' },
    shownBy: listTranslations,
  }),
  publicStream({
    ...base,
    entity: 'glossary',
    schemas: glossaryEventSchemas,
    untold: ['GlossaryClosed'],
    target: { object: 'translation-glossary' },
    shownBy: listGlossaryEntries,
  }),
];
