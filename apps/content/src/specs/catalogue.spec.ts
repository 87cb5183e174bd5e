import { describe, expect, it } from '@jest/globals';
import { contentContract } from '@scriptorium/contracts';
import { shapesOfEvents, shapesOfOperations, shapesOfProjections } from '@scriptorium/testing';
import { branchEvents } from '../versions/branches/index.js';
import { collectionEvents } from '../library/collections/collection.events.js';
import { libraryEvents } from '../library/nodes/index.js';
import { specEvents } from '../library/openapi/spec.events.js';
import { spaceEvents } from '../library/spaces/space.events.js';
import { glossaryEvents } from '../moving/translations/glossary/glossary.events.js';
import { translationEvents } from '../moving/translations/translation.events.js';
import { translationListEvents } from '../moving/translations/translations.events.js';
import { content } from '../service.js';

const tables = {
  library: libraryEvents,
  space: spaceEvents,
  collection: collectionEvents,
  branch: branchEvents,
  specs: specEvents,
  translations: translationListEvents,
  translation: translationEvents,
  glossary: glossaryEvents,
};

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of content', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    expect(shapesOfEvents(table)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    expect(shapesOfProjections(content)).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    expect(shapesOfOperations(contentContract)).toMatchSnapshot();
  });
});
