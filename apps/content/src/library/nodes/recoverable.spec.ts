import { describe, expect, it } from '@jest/globals';
import type { Grantee } from '@scriptorium/access';
import { recoverableBy } from './access/recoverable.queries.js';

const deletedAt = '2026-11-01T00:00:00.000Z';
const member: Grantee = { role: 'read', user: 'u', membership: 'm', teams: [] };
const nodes = {
  deleted: () => ({ spaces: ['mine', 'theirs'], collections: ['shelf'] }),
  deletedAt: () => deletedAt,
  levelOn: (id: string) => (id === 'theirs' ? ('create' as const) : ('admin' as const)),
};

describe('what can be restored', () => {
  it.each([
    ['until the seventh day', '2026-11-07T23:59:59.999Z', { spaces: ['mine'], collections: ['shelf'] }],
    ['not from then on', '2026-11-08T00:00:00.000Z', { spaces: [], collections: [] }],
  ])('is listed for its admins %s', (_, now, found) => {
    expect(recoverableBy(nodes, member, Date.parse(now))).toEqual(found);
  });
});
