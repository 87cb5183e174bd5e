import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@scriptorium/contracts';
import { readJson } from '../installation/private-file.js';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const folder = tempFolders();
const work = folder();
const data = join(work, 'data');
const commands = trackedCommands();

const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0' });

/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run(...args));

beforeAll(() => run('start').ready());

/** The client of the installation that is started, and the parameters that name its organization. */
async function installation() {
  const client = createClient((await readJson(join(data, 'first-run.json'))) as { endpoint: string; token: string });
  const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 1 } });
  return { client, params: { organizationId: items[0]?.id ?? '' } };
}

describe('scriptorium import and export', () => {
  it('copy a folder into a space and out of it again, and name broken links', async () => {
    const { client, params } = await installation();
    const space = async () => (await client.createSpace({ params, body: { editMode: 'live', empty: true } })).id;
    const [first, second] = [await space(), await space()];

    const source = join(work, 'pages');
    await mkdir(join(source, '.git'), { recursive: true });
    await writeFile(join(source, 'README.md'), '# Start\n\n[two](two.md), [gone](gone.md)\n');
    await writeFile(join(source, 'two.md'), '# Two\n');
    await writeFile(join(source, '.git', 'x.md'), '# None\n');
    const imported = await ended('import', source, '--space', first);
    expect(imported.stderr).toBe('');
    expect(imported.code).toBe(0);
    expect(imported.stdout).toMatch(/README\.md: link gone\.md\n.*Imported 2 pages and 0 files/s);
    const page = await client.getPageByPath({ params: { spaceId: first, pagePath: 'start' } });
    expect(page.title).toBe('Start');

    const closed = join(work, 'closed.md');
    await writeFile(closed, '---\nif: visitor.claims.plan ==\n---\n# Closed\n');
    const refused = await ended('import', closed, '--space', await space());
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('1 pages or files') });
    expect(refused.stdout).toContain('closed.md: condition if');

    const empty = join(work, 'empty');
    await mkdir(empty);
    await writeFile(join(empty, 'notes.rst'), 'No markdown\n');
    await writeFile(join(empty, 'long.md'), `# Long\n\n${'words '.repeat(100_000)}`);
    const unreadable = await ended('import', empty, '--space', second);
    expect(unreadable.code).toBe(1);
    expect(unreadable.stdout).toMatch(/long\.md: unreadable It has \d+ bytes.*notes\.rst: unused_file\n/s);
    await rm(join(empty, 'long.md'));
    const nothing = await ended('import', empty, '--space', second, '--replace');
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-empty') });
    expect((await ended('import', empty, '--space', second, '--replace', '--allow-empty')).code).toBe(0);
    expect((await client.listPages({ params: { spaceId: second } })).pages).toEqual([]);

    const bare = join(work, 'bare');
    await mkdir(bare);
    const without = { stderr: expect.stringContaining('has no files') };
    expect(await ended('import', bare, '--space', second)).toMatchObject({ code: 1, ...without });
    expect(await ended('import', bare, '--space', second, '--replace')).toMatchObject({ code: 2, ...without });

    const [one, two] = [join(work, 'one.zip'), join(work, 'two.zip')];
    expect((await ended('export', one, '--space', first)).code).toBe(0);
    expect((await ended('import', one, '--space', second)).stdout).toMatch(/Imported 2 pages/);
    expect((await ended('export', two, '--space', second)).code).toBe(0);
    expect((await readFile(two)).equals(await readFile(one))).toBe(true);

    expect(await ended('import', join(work, 'none'), '--space', first)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no'),
    });
    expect(await ended('import', join(source, 'two.md'), '--space', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the installation refused'),
    });
  });
});

describe('scriptorium pdf', () => {
  it('writes a space, a page and the changes of a change request to files, and says why it cannot', async () => {
    const { client, params } = await installation();
    const { id: spaceId } = await client.createSpace({ params, body: { editMode: 'live', empty: true } });
    const insert = (title: string) =>
      ({ operation: 'insert_page', ref: title, title, document: { markdown: `Text of ${title}.` } }) as const;
    const { refs } = await client.changeSpaceContent({
      params: { spaceId },
      body: { changes: [insert('One'), insert('Two')] },
    });
    const page = refs['One'] ?? '';
    const request = await client.createChangeRequest({ params: { spaceId }, body: { subject: 'More' } });
    const of = { spaceId, changeRequestId: request.id };
    await client.changeContentInChangeRequest({ params: of, body: { changes: [insert('Three')] } });

    const sizeOf = async (name: string, ...args: string[]): Promise<number> => {
      const path = join(work, name);
      const written = await ended('pdf', spaceId, '-o', path, ...args);
      expect(written).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Wrote \d+ bytes to /) });
      const bytes = await readFile(path);
      expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-');
      expect(written.stdout).toContain(`Wrote ${bytes.length} bytes to ${path}`);
      return bytes.length;
    };
    const whole = await sizeOf('space.pdf');
    expect(await sizeOf('page.pdf', '--page', page, '--only', '--paper', 'letter')).toBeLessThan(whole);
    expect(await sizeOf('request.pdf', '--change-request', String(request.number), '--changes')).toBeGreaterThan(0);

    const refused = async (...args: string[]) => {
      const { code, stderr } = await ended('pdf', spaceId, '-o', join(work, 'none.pdf'), ...args);
      return [code, stderr];
    };
    expect(await refused('--only')).toEqual([1, expect.stringContaining('query.page')]);
    expect(await refused('--page', 'none')).toEqual([1, expect.stringContaining('There is no such page')]);
    expect(await refused('--page', 'none')).toEqual([1, expect.stringContaining('--page none: There is no such page')]);
    const missing = await ended('pdf', spaceId, '-o', join(work, 'no', 'such.pdf'));
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringContaining(`there is no folder ${join(work, 'no')}`),
    ]);
    expect(await ended('pdf', spaceId, '-o', work)).toMatchObject({
      code: 1,
      stderr: `scriptorium: ${work} is a folder\n`,
    });
    expect(await refused('--changes')).toEqual([1, expect.stringContaining('--change-request')]);
    expect(await refused('--paper', 'a5')).toEqual([1, expect.stringContaining('a4, letter')]);
    await expect(readFile(join(work, 'none.pdf'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
