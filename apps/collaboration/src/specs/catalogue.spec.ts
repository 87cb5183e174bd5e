import { describe, expect, it } from '@jest/globals';
import { collaborationContract } from '@scriptorium/contracts';
import { shapesOfEvents, shapesOfOperations, shapesOfProjections } from '@scriptorium/testing';
import { changeRequestEvents, numberEvents } from '../change-requests/change-request.events.js';
import { commentEvents } from '../comments/comment.events.js';
import { retentionEvents } from '../notifications/notices/retention.events.js';
import { collaboration } from '../service.js';

const tables = {
  comment: commentEvents,
  request: changeRequestEvents,
  numbers: numberEvents,
  retention: retentionEvents,
};

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of collaboration', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    expect(shapesOfEvents(table)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    expect(shapesOfProjections(collaboration)).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    expect(shapesOfOperations(collaborationContract)).toMatchSnapshot();
  });
});
