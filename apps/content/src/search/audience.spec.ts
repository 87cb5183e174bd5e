import { describe, expect, it } from '@jest/globals';
import type { PageRecord } from '../pages/index.js';
import { pagesFor, type Audience } from './audience.js';
import { emptyIndex, putPage } from './space-index.js';

const index = emptyIndex('pool', null, '');
const put = (id: string, fields: Partial<PageRecord> = {}) =>
  putPage(
    index,
    { id, type: 'document', title: id, order: id, createdAt: '', updatedAt: '', ...fields } as never,
    undefined,
  );
put('plain');
put('hidden', { hidden: true });
put('below', { parent: 'hidden' });
put('unlisted', { noIndex: true });
put('paying', { condition: 'visitor.claims.plan == "paid"' });
put('belowPaying', { parent: 'paying' });
put('agents', { condition: 'visitor.type == "agent"' });
put('wrong', { condition: 'nothing(' });
put('link', { type: 'link' });
put('group', { type: 'group' });

const seen = (audience: Audience) => pagesFor(index, audience).map(({ page }) => page.id);

describe('the pages that somebody can find', () => {
  it('are all pages for editors', () => {
    expect(seen({ kind: 'editor' })).toHaveLength(9);
    expect(seen({ kind: 'editor' })).not.toContain('link');
  });

  it('are those that visitors see by their claims, and that are not excluded', () => {
    expect(seen({ kind: 'visitor', claims: {} })).toEqual(['plain', 'group']);
    expect(seen({ kind: 'visitor', claims: { plan: 'paid' } })).toEqual(['plain', 'paying', 'belowPaying', 'group']);
  });

  it('are for agents what they are for visitors of that type', () => {
    expect(seen({ kind: 'agent', claims: {} })).toEqual(['plain', 'agents', 'group']);
  });
});
