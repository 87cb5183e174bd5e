import { describe, expect, it } from '@jest/globals';
import { integrationsContract } from '@scriptorium/contracts';
import { shapesOfEvents, shapesOfOperations, shapesOfProjections } from '@scriptorium/testing';
import { installationEvents, rosterEvents } from '../installations/index.js';
import { integrationEvents } from '../publishing/index.js';
import { integrations } from '../service.js';
import { webhookEvents } from '../webhooks/index.js';

const tables = {
  integration: integrationEvents,
  installations: rosterEvents,
  installation: installationEvents,
  webhooks: webhookEvents,
};

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of integrations', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    expect(shapesOfEvents(table)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    expect(shapesOfProjections(integrations)).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    expect(shapesOfOperations(integrationsContract)).toMatchSnapshot();
  });
});
