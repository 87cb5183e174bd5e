import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { FileStore } from '../../versions/files/index.js';
import { ContentObjects } from '../../versions/object-store/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, get, startRig, type Rig } from '../../test/own-rig.js';
import { makeSpace } from '../../test/spaces.js';
import { methodOf } from '../../test/method-of.js';
import { scopeMethods } from '../../test/scope-methods.js';

const breakOff = (): never => {
  throw new Error('broken off');
};

const { prototype: files } = FileStore;
const { prototype: objects } = ContentObjects;

/** The steps of a commit, in their order, each broken off once when it is reached. */
const steps: [step: string, isRecorded: boolean, begin: (rig: Rig) => void][] = [
  [
    'the bytes of its files were put aside',
    false,
    () => void jest.spyOn(files, 'keep').mockImplementationOnce(breakOff),
  ],
  [
    'its files were given to the space',
    false,
    () => {
      const keep = methodOf(files, 'keep');
      jest.spyOn(files, 'keep').mockImplementationOnce(async function (this: FileStore, ...given) {
        await keep.apply(this, given);
        return breakOff();
      });
    },
  ],
  ['its content was made', false, () => void jest.spyOn(objects, 'store').mockImplementationOnce(breakOff)],
  [
    'its objects were stored',
    false,
    () => {
      const store = methodOf(objects, 'store');
      jest.spyOn(objects, 'store').mockImplementationOnce(async function (this: ContentObjects, ...given) {
        await store.apply(this, given);
        return breakOff();
      });
    },
  ],
  [
    'its revision was recorded',
    true,
    (rig) => {
      const scopes = scopeMethods(rig);
      const make = methodOf(scopes, 'make');
      jest.spyOn(scopes, 'make').mockImplementationOnce(async function (this: StoreScope, ...given) {
        await make.apply(this, given);
        return breakOff();
      });
    },
  ],
];

describe('a commit that breaks off', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rig.stop());

  const spaceWithPage = async (): Promise<{ space: string; a: string }> => {
    const space = await makeSpace(rig);
    const { a = '' } = await changeContentOf(rig, space, [page('A', 'Before.', { ref: 'a' })]);
    return { space, a };
  };
  const base64 = Buffer.from('the bytes of a file').toString('base64');
  const changesOf = (a: string) => [
    { operation: 'insert_files', files: [{ name: 'f.txt', ref: 'f', contentType: 'text/plain', base64 }] },
    { operation: 'insert_reusable_content', title: 'Note', ref: 'note', document: { markdown: 'Pomegranate.' } },
    page('B', 'See [the file](/files/f).\n\n{% include "/reusable-content/note" %}', { ref: 'b' }),
    { operation: 'update_page', page: a, document: { markdown: 'After, to [b](./b.md).' } },
  ];
  /** Everything that readers see of a space. */
  const seen = async (space: string) => {
    const read = async (path: string) => (await rig.send('GET', `/spaces/${space}${path}`)).body;
    const content = await read('/content');
    const titles = (content['pages'] as { title: string }[]).map(({ title }) => title);
    return {
      titles,
      files: (await read('/content/files')).count,
      contents: get(content, 'reusableContents.length'),
      revisions: (await read('/revisions')).count,
      hits: (await read('/search?query=pomegranate')).count,
      links: (await read('/links')).count,
      broken: get(await read('/links'), 'stats.broken.total'),
    };
  };

  it.each(steps)(
    'when %s is seen whole or not at all, and is carried out once when it is repeated',
    async (...step) => {
      const [name, isRecorded, begin] = step;
      const { space, a } = await spaceWithPage();
      const before = await seen(space);
      const write = () =>
        rig.send('POST', `/spaces/${space}/content`, {
          body: { changes: changesOf(a) },
          headers: { 'idempotency-key': name.replaceAll(' ', '-') },
        });
      begin(rig);
      expect((await write()).status).toBe(500);
      jest.restoreAllMocks();
      const whole = { titles: ['A', 'B'], files: 1, contents: 1, revisions: 3, hits: 1, links: 3, broken: 0 };
      if (isRecorded) await eventually(async () => JSON.stringify(await seen(space)) === JSON.stringify(whole));
      else expect(await seen(space)).toEqual(before);

      await changeContentOf(rig, space, [page('C', 'Written meanwhile.')]);
      const again = await write();
      expect(again.status).toBe(200);
      const after = await seen(space);
      const titles = isRecorded ? ['A', 'B', 'C'] : ['A', 'C', 'B'];
      expect(after).toEqual({ ...whole, titles, revisions: 4 });
      const file = await rig.send('GET', `/spaces/${space}/content/files/${String(get(again.body, 'refs.f'))}`);
      const bytes = await fetch(String(file.body['downloadURL']));
      expect(await bytes.text()).toBe('the bytes of a file');
    },
  );

  it('leaves nothing behind that is missing or damaged', async () => {
    const begun = await rig.send('POST', '/operator/content/verifications');
    const path = `/operator/content/verifications/${String(begun.body['id'])}`;
    await eventually(async () => (await rig.send('GET', path)).body['status'] === 'done', 20_000);
    const { body } = await rig.send('GET', path);
    expect(body['result']).toMatchObject({ sound: true, missing: 0, corrupt: 0, missingFiles: 0 });
  });
});
