import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { locatePublishedPath } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { startRig, type Rig } from '../../test/rig.js';
import { makeSpace } from '../../test/spaces.js';

let rig: Rig;
let ask: Asker;
beforeAll(async () => {
  rig = await startRig();
  ask = await connectAsker(rig);
}, 60_000);
afterAll(async () => {
  await ask.close();
  await rig.stop();
});

it('a path that a page had more than a hundred revisions ago leads to where the page is now', async () => {
  const space = await makeSpace(rig);
  const { a = '', b = '' } = await changeContentOf(rig, space, [
    page('A', '', { ref: 'a', slug: 'first' }),
    page('B', '', { ref: 'b', slug: 'gone' }),
  ]);
  const update = (more: object) => changeContentOf(rig, space, [{ operation: 'update_page', page: a, ...more }]);
  await update({ slug: 'second' });
  await changeContentOf(rig, space, [{ operation: 'delete_page', page: b }]);
  for (let n = 0; n < 120; n += 1) await update({ description: `Description ${n}` });
  await update({ slug: 'third' });
  const leadsTo = async (path: string) => {
    const reader = { type: 'human' as const, claims: {}, spaces: [space] };
    const located = await ask(locatePublishedPath, { organization: rig.organization, space, path, reader });
    return 'path' in located ? located.path : undefined;
  };
  expect(await leadsTo('first')).toBe('third');
  expect(await leadsTo('second')).toBe('third');
  expect(await leadsTo('gone')).toBeUndefined();
  expect(await leadsTo('never')).toBeUndefined();
}, 60_000);
