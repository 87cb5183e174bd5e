import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Cleanup } from './processes/cleanup.js';
import { repositoryFile } from './processes/paths.js';
import { mostFiles } from './roads/most.js';
import { findRoads, roadNames, type RoadName, type Roads } from './roads/roads.js';

jest.setTimeout(180_000);

/** The requests whose files docs/walk.md explains. */
const explained = ['PATCH team', 'POST content'] as const satisfies readonly RoadName[];

const mostUnexplained = 3;

const cleanup = new Cleanup();
let roads: Roads;
beforeAll(async () => {
  roads = await findRoads(cleanup);
});
afterAll(() => cleanup.run());

describe('the files that a request runs through', () => {
  it('do not become more', () => {
    for (const name of roadNames) {
      // A file that is new on a road is found by comparing what `npm run roads` prints before and after a change.
      expect(`${name}: ${Math.max(roads[name].length, mostFiles[name])}`).toBe(`${name}: ${mostFiles[name]}`);
      expect(roads[name].length).toBeGreaterThan(30);
    }
  });

  it('are explained in docs/walk.md for a PATCH and a write of content', async () => {
    const page = await readFile(repositoryFile('docs/walk.md'), 'utf8');
    const files = new Set(explained.flatMap((name) => roads[name]));
    const missing = [...files].filter((file) => !page.includes(`\`${file}\``));
    // What the product does by itself is not always told apart.
    expect(missing.length > mostUnexplained ? missing : []).toEqual([]);
  });
});
