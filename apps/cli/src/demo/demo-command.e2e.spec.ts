import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { createClient, type Client } from '@scriptorium/contracts';
import { readJson } from '../installation/private-file.js';
import { trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';
import { titleWhileLoading } from './organization.js';
import { publishSpecification, readSpecification } from './specification.js';

jest.setTimeout(300_000);

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = tempFolders();
const data = join(folder(), 'data');
const commands = trackedCommands();

const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0' });

async function installationClient(): Promise<Client> {
  return createClient((await readJson(join(data, 'first-run.json'))) as { endpoint: string; token: string });
}

/** What an earlier try has made before it was interrupted. */
async function leaveInterruptedTry(): Promise<void> {
  const client = await installationClient();
  const { id } = await client.createOrganization({ body: { title: titleWhileLoading } });
  await publishSpecification(client, id, await readSpecification(repository));
}

describe('scriptorium demo', () => {
  it('loads an organization once, with people, teams, spaces, files and pages that link to each other', async () => {
    await run('start').ready();
    await leaveInterruptedTry();
    const loading = run('demo');
    expect([await loading.ended(), loading.stderr()]).toEqual([0, '']);
    const shown = await fetch(/http:\S+~site\/\S+/.exec(loading.stdout())?.[0] ?? 'http://none.invalid');
    expect([shown.status, (await shown.text()).includes('<title>')]).toEqual([200, true]);
    const again = run('demo');
    expect(await again.ended()).toBe(0);
    expect(again.stdout()).toMatch(/is there already/);

    const client = await installationClient();
    const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 100 } });
    expect(items.map(({ title }) => title)).not.toContain(titleWhileLoading);
    const params = { organizationId: items.find(({ title }) => title === 'Lighthouse')?.id ?? '' };
    expect((await client.listMembersInOrganizationById({ params })).count).toBe(9);
    expect((await client.listTeamsInOrganizationById({ params })).count).toBe(3);
    expect((await client.listConversations({ params, query: { limit: 0 } })).count).toBe(300);
    await waitFor('clusters', async () => {
      const query = { processed: false, limit: 0 };
      return (await client.listConversations({ params, query })).count === 0;
    });
    const largest = await client.listConversationsIssuesClusters({ params, query: { orderBy: 'issues', limit: 5 } });
    expect(largest.items[0]?.label).toMatch(/PDF/);
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
    const reference = 'resources/reference';
    const lamps = await client.getPageByPath({ params: { spaceId: apiId, pagePath: `${reference}/lamps` } });
    expect(lamps.title).toBe('Lamps');
    const brokenInApi = await client.listSpaceLinks({ params: { spaceId: apiId }, query: { status: 'broken' } });
    expect(brokenInApi.items).toEqual([]);
    const site = (await client.getSpaceById({ params: { spaceId: apiId } })).urls.published ?? 'http://none.invalid';
    const read = async (path: string) => (await fetch(`${site.replace(/\/?$/, '/')}${path}`)).text();
    const shownLamps = await read(`${reference}/lamps`);
    expect(shownLamps).toMatch(/Switch a lamp.*Query parameters<\/h\d>.*<code class="name">force<\/code>/s);
    expect(shownLamps).not.toMatch(/calibrat/i);
    expect(await read(`${reference}/models`)).toContain('id="schema-Lamp"');
    const blocks = await read('switch-on-a-lamp');
    expect(blocks).toMatch(
      /<strong>Switch a lamp<\/strong>.*<strong>Get a lamp<\/strong>.*<strong>A lamp went out<\/strong>/s,
    );
    const { urls } = await client.getOpenAPISpecBySlug({ params: { ...params, specSlug: 'lighthouse' } });
    expect((await fetch(urls.published ?? 'http://none.invalid')).status).toBe(200);
    const revisions = await client.listRevisions({ params: { spaceId } });
    expect(revisions.count).toBeGreaterThan(3);
  });
});
