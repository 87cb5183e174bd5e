import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
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

describe('scriptorium pdf', () => {
  it('writes a space, a page and the changes of a change request to files, and says why it cannot', async () => {
    await run('start').ready();
    const client = createClient((await readJson(join(data, 'first-run.json'))) as { endpoint: string; token: string });
    const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 1 } });
    const params = { organizationId: items[0]?.id ?? '' };
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
