import { describe, expect, it } from '@jest/globals';
import { sitesContract } from '@scriptorium/contracts';
import { shapesOfEvents, shapesOfOperations, shapesOfProjections } from '@scriptorium/testing';
import { customizationEvents, redirectEvents, siteEvents, wholeDirectory } from '../model/site.events.js';
import { sites } from '../service.js';

const tables = {
  directory: wholeDirectory,
  site: siteEvents,
  customization: customizationEvents,
  redirects: redirectEvents,
};

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a
 * default. A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of sites', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    expect(shapesOfEvents(table)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    expect(shapesOfProjections(sites)).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    expect(shapesOfOperations(sitesContract)).toMatchSnapshot();
  });
});
