import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Cleanup } from './processes/cleanup.js';
import { mostFiles } from './roads/most.js';
import { findRoads, roadNames } from './roads/roads.js';

jest.setTimeout(180_000);

const cleanup = new Cleanup();
afterAll(() => cleanup.run());

describe('the files that a request runs through', () => {
  it('do not become more', async () => {
    const roads = await findRoads(cleanup);
    for (const name of roadNames) {
      // A file that is new on a road is found by comparing what `npm run roads` prints before and after a change.
      expect(`${name}: ${Math.max(roads[name].length, mostFiles[name])}`).toBe(`${name}: ${mostFiles[name]}`);
      expect(roads[name].length).toBeGreaterThan(30);
    }
  });
});
