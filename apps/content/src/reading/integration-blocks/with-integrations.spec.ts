import { describe, expect, it } from '@jest/globals';
import { installationReach, integrationReach } from '@scriptorium/access';
import type { Scope } from '@scriptorium/platform';
import type { Block, RichDocument } from '@scriptorium/rich-text';
import { withIntegrations } from './with-integrations.process.js';

const scopes = ['space:content:read'];
const reach = { organization: 'o', granted: scopes, set: [], paused: null, sites: [], since: 1 };
const target = { spaces: [{ id: 's', since: 1 }], allSpacesSince: null, allSitesSince: null };
const manifest = { description: 'About', icon: null, blocks: [{ id: 'b', title: 'Block' }], frames: ['https://f'] };

const block = (integration: string): Block => ({
  object: 'block',
  type: 'integration',
  isVoid: true,
  data: { integration, block: 'b' },
  nodes: [],
});

/** What is said of a block of each integration, by its name. */
async function resolved(...installed: { name: string; spaces?: object[]; paused?: string; unknown?: true }[]) {
  const reaches = installed.map(({ name, unknown: _, ...one }) => ({
    ...{ ...reach, ...target, _id: `of ${name}`, integration: name },
    ...one,
  }));
  const published = installed.filter((one) => one.unknown === undefined).map(({ name }) => name);
  const byIds = (documents: { _id: string }[]) => ({
    byIds: (ids: readonly string[]) => Promise.resolve(documents.filter(({ _id }) => ids.includes(_id))),
  });
  const read = (of: unknown): unknown => {
    if (of === installationReach) return { find: () => ({ toArray: () => Promise.resolve(reaches) }) };
    if (of === integrationReach)
      return byIds(published.map((name) => ({ _id: name, name, version: 3, scopes, required: [] })));
    return byIds(published.map((name) => ({ ...manifest, _id: name, name, title: name.toUpperCase() })));
  };
  const document: RichDocument = { object: 'document', data: {}, nodes: installed.map(({ name }) => block(name)) };
  const store: unknown = { read };
  const scope = { store } as Pick<Scope, 'store'>;
  const place = { organization: 'o', space: 's', also: [] as unknown[] };
  const { nodes } = await withIntegrations(scope, 'https://files', place, document);
  return nodes.map(({ data }) => data['resolved']);
}

describe('what a block of an integration shows', () => {
  it('is what the integration says of it, with its component while it is active on the space', async () => {
    const said = { title: 'Block', description: 'About', integration: { name: 'n', title: 'N', version: 3 } };
    expect(await resolved({ name: 'n' })).toEqual([{ ...said, component: 'b', frames: ['https://f'] }]);
    expect(await resolved({ name: 'n', paused: 'failures' })).toEqual([said]);
  });

  it('is nothing where the integration is not installed on the space, or not known', async () => {
    const elsewhere = { name: 'elsewhere', spaces: [{ id: 'other', since: 1 }] };
    expect(await resolved(elsewhere, { name: 'gone', unknown: true })).toEqual([null, null]);
  });
});
