import { describe, expect, it } from '@jest/globals';
import { conversationsContract } from '@scriptorium/contracts';
import { shapesOfEvents, shapesOfOperations, shapesOfProjections } from '@scriptorium/testing';
import { clusterEvents } from '../clusters/index.js';
import { conversationEvents, ingestionEvents } from '../conversations/index.js';
import { conversations } from '../service.js';

const tables = { conversation: conversationEvents, ingestion: ingestionEvents, clusters: clusterEvents };

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of conversations', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    expect(shapesOfEvents(table)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    expect(shapesOfProjections(conversations)).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    expect(shapesOfOperations(conversationsContract)).toMatchSnapshot();
  });
});
