import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const work = tempFolders()();
const data = join(work, 'data');
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0', CONTENT_PORT: '0' });

/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run('openapi', ...args));

const shop = (paths: object) => JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths });
const operation = { responses: { 200: { description: 'x' } } };

describe('scriptorium openapi', () => {
  it('checks a file without an installation', async () => {
    const file = join(work, 'bad.json');
    await writeFile(file, '{"openapi":"3.1.0",\n "info": }');
    const bad = await ended('check', file);
    expect([bad.code, bad.stdout]).toEqual([2, expect.stringContaining(`${file}:2:10 It is not JSON`)]);
    await writeFile(file, shop({ '/orders': { get: operation } }));
    expect(await ended('check', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 operations') });
    expect((await ended('check', join(work, 'none'))).code).toBe(1);
  });

  it('publishes, shows, compares and deletes specifications', async () => {
    await run('start').ready();
    const file = join(work, 'shop.json');
    await writeFile(file, shop({ '/orders': { get: operation }, '/items': { get: operation } }));
    const first = await ended('publish', 'shop', file, '--visibility', 'public', '--wait');
    expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Published shop: http') });
    const published = /read it at (\S+)/.exec(first.stdout)?.[1] ?? '';
    expect((await fetch(published)).status).toBe(200);
    expect((await ended('list')).stdout).toBe('shop\tpublic\tcomplete\n');
    const json = await ended('list', '--json');
    expect([json.stderr, JSON.parse(json.stdout)]).toEqual(['', expect.objectContaining({ slug: 'shop' })]);
    expect((await ended('show', 'shop')).stdout).toContain(`published: ${published}\n`);
    expect(await ended('changes', 'shop')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 changes') });

    await writeFile(file, shop({ '/orders': { get: operation } }));
    expect((await ended('publish', 'shop', file, '--wait')).code).toBe(0);
    const changes = await ended('changes', 'shop');
    expect([changes.code, changes.stdout]).toEqual([
      3,
      expect.stringContaining('breaking removed operation GET /items'),
    ]);

    await writeFile(file, '{"openapi":"3.1.0",\n "info": }');
    const failed = await ended('publish', 'shop', file, '--wait');
    expect([failed.code, failed.stdout]).toEqual([2, expect.stringContaining(`${file}:2:10 It is not JSON`)]);
    expect((await ended('publish', 'shop', file)).code).toBe(0);
    for (const wrong of [
      ['publish', 'my_shop', file],
      ['publish', 'shop', join(work, 'none')],
      ['publish', 'shop', file, '--visibility', 'unlisted'],
      ['show', 'none'],
      ['list', '--organization', 'none'],
    ])
      expect((await ended(...wrong)).code).toBe(1);
    const unknown = await ended('list', '--token', 'not-a-token');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('the installation refused')]);
    expect(unknown.stderr).not.toContain('not-a-token');
    expect(await ended('list', '--url', 'nowhere')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('--url must'),
    });
    expect(await ended('delete', 'shop')).toMatchObject({ code: 0, stdout: 'Deleted shop\n' });
    expect(await ended('delete', 'shop')).toMatchObject({ code: 0, stdout: 'There was no shop\n' });
  });
});
