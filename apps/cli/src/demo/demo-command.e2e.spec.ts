import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@scriptorium/contracts';
import { readJson } from '../installation/private-file.js';
import { trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(180_000);

const folder = tempFolders();
const data = join(folder(), 'data');
const commands = trackedCommands();

const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0' });

describe('scriptorium demo', () => {
  it('loads an organization once, with people, teams, spaces, files and pages that link to each other', async () => {
    await run('start').ready();
    const loading = run('demo');
    expect([await loading.ended(), loading.stderr()]).toEqual([0, '']);
    const shown = await fetch(/http:\S+~site\/\S+/.exec(loading.stdout())?.[0] ?? 'http://none.invalid');
    expect([shown.status, (await shown.text()).includes('<title>')]).toEqual([200, true]);
    const again = run('demo');
    expect(await again.ended()).toBe(0);
    expect(again.stdout()).toMatch(/is there already/);

    const client = createClient((await readJson(join(data, 'first-run.json'))) as { endpoint: string; token: string });
    const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 100 } });
    const params = { organizationId: items.find(({ title }) => title === 'Lighthouse')?.id ?? '' };
    expect((await client.listMembersInOrganizationById({ params })).count).toBe(9);
    expect((await client.listTeamsInOrganizationById({ params })).count).toBe(3);
    const spaces = await client.listSpacesInOrganizationById({ params });
    expect(spaces.items).toHaveLength(6);
    const spaceId = spaces.items.find(({ title }) => title === 'Decisions')?.id ?? '';
    const first = await client.getPageByPath({
      params: { spaceId, pagePath: 'decisions' },
      query: { format: 'markdown' },
    });
    expect(first).toMatchObject({ title: 'Decisions', markdown: expect.stringContaining('](0001-') });
    const guideId = spaces.items.find(({ title }) => title === 'Product guide')?.id ?? '';
    const files = await client.listFiles({ params: { spaceId: guideId } });
    expect(files.items.map(({ name, dimensions }) => [name, dimensions?.width])).toEqual([
      ['checklist.txt', undefined],
      ['day.png', 320],
      ['night.png', 320],
    ]);
    const broken = await client.listSpaceLinks({ params: { spaceId: guideId }, query: { status: 'broken' } });
    expect(broken.items).toEqual([]);
    const apiId = spaces.items.find(({ title }) => title === 'API guide')?.id ?? '';
    const lamps = await client.getPageByPath({ params: { spaceId: apiId, pagePath: 'lighthouse-api/lamps' } });
    expect(lamps.title).toBe('Lamps');
    const revisions = await client.listRevisions({ params: { spaceId } });
    expect(revisions.count).toBeGreaterThan(3);
  });
});
