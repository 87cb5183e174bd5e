import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

/** An answer about a site, as of a service that knows nothing of how sites look but their title. */
async function ofOlderService(url: string, answer: Response): Promise<Response> {
  if (!/\/published(?:$|\?)/.test(url) || !url.includes('/sites/') || answer.status !== 200) return answer;
  const body = (await answer.json()) as { customizations: { site: { title: string } } };
  const { title } = body.customizations.site;
  const older = { ...body, customizations: { site: { title }, siteSpaces: {} } };
  return new Response(JSON.stringify(older), { headers: { 'content-type': 'application/json' } });
}

describe('a reader that is newer than the service of sites', () => {
  let world: ReaderRig;
  let address: string;
  beforeAll(async () => {
    world = await startReaderRig({}, ofOlderService);
    const guide = await world.space('Guide', [
      {
        operation: 'insert_page',
        title: 'Start',
        document: { markdown: '{% embed url="https://maps.example.org/a" %}' },
      },
    ]);
    ({ address } = await world.publish({ title: 'Docs', spaces: [guide.id] }));
  }, 90_000);
  afterAll(() => world.stop());

  it('shows its pages, without what that service does not know', async () => {
    for (const at of ['', 'start', '~search?q=first', '~tree', '~feed?page=none', 'start.md', 'gone']) {
      const { status, text } = await world.open(`${address}${at}`);
      expect([at, status]).toEqual([at, at === 'gone' || at.startsWith('~feed') ? 404 : 200]);
      if (at === 'start') expect(text).toContain('<title>Start | Docs</title>');
    }
  });
});
