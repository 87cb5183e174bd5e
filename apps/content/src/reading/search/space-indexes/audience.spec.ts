import { describe, expect, it } from '@jest/globals';
import type { PageRecord } from '../../../versions/pages/index.js';
import { pagesFor, type Audience } from './audience.js';
import { emptyIndex, putPage } from './space-index.js';

const index = emptyIndex('pool', null, '');
const put = (id: string, fields: Partial<PageRecord> = {}) =>
  putPage(index, { id, type: 'document', title: id, order: id, createdAt: '', updatedAt: '', ...fields }, undefined);
put('plain');
put('hidden', { hidden: true });
put('below', { parent: 'hidden' });
put('unlisted', { noIndex: true });
put('paying');
put('belowPaying', { parent: 'paying' });
put('link', { type: 'link' });
put('group', { type: 'group' });

const seen = (audience: Audience) => pagesFor(index, audience).map(({ page }) => page.id);

describe('the pages that somebody can find', () => {
  it('are all pages for editors', () => {
    expect(seen({ kind: 'editor' })).toHaveLength(7);
    expect(seen({ kind: 'editor' })).not.toContain('link');
  });

  it('are for visitors those that are shown to them, with all that contains these, and that are not excluded', () => {
    const hidden = (...ids: string[]) => ({ kind: 'visitor' as const, isShown: (id: string) => !ids.includes(id) });
    expect(seen(hidden())).toEqual(['plain', 'paying', 'belowPaying', 'group']);
    expect(seen(hidden('paying'))).toEqual(['plain', 'group']);
  });
});
