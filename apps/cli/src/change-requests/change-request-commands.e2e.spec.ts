import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { createClient } from '@scriptorium/contracts';
import { addressOf } from '../installation/address.js';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const settings = { DATA_DIR: join(tempFolders()(), 'data'), PORT: '0', CONTENT_PORT: '0' };
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, settings);
/** Runs a command about change requests to its end. */
const ended = (...args: string[]) => commandEnded(run('change-request', ...args));

describe('scriptorium change-request', () => {
  it('lists, shows and merges change requests, and tells of conflicts', async () => {
    await run('start').ready();
    const client = createClient(await addressOf(settings));
    const { items } = await client.listOrganizationsForAuthenticatedUser({ query: {} });
    const of = { organizationId: items[0]?.id ?? '' };
    const { id: space } = await client.createSpace({
      params: of,
      body: { title: 'Guide', empty: true, editMode: 'live' },
    });
    const params = { spaceId: space };
    const page = { operation: 'insert_page', title: 'Ports', document: { markdown: 'Port 80.' }, ref: 'page' } as const;
    const { refs } = await client.changeSpaceContent({ params, body: { changes: [page] } });
    const write = (markdown: string) => ({
      changes: [{ operation: 'update_page', page: refs['page'] ?? '', document: { markdown } } as const],
    });
    const propose = async (subject: string, markdown: string) => {
      const { id: changeRequestId } = await client.createChangeRequest({ params, body: { subject } });
      const there = { ...params, changeRequestId };
      await client.changeContentInChangeRequest({ params: there, body: write(markdown) });
      await client.updateChangeRequestById({ params: there, body: { status: 'open' } });
    };
    await propose('Another port', 'Port 8080.');
    await propose('A third port', 'Port 9090.');
    await propose('A long text', 'Some words.\n\n'.repeat(25_000));

    const here = ['--space', space];
    const list = await ended('list', ...here);
    expect(
      list.stdout
        .split('\n')
        .map((line) => line.split('\t').slice(0, 3))
        .sort(),
    ).toEqual([[''], ['1', 'open', 'Another port'], ['2', 'open', 'A third port'], ['3', 'open', 'A long text']]);
    const shown = await ended('show', '1', ...here);
    expect(shown.stdout).toMatch(/^number: 1\nstatus: open\nsubject: Another port\nauthor: /);
    expect(shown.stdout).toContain('changes:\n  page edited: Ports (ports)\n');
    const diff = await ended('diff', '1', ...here);
    expect(diff).toMatchObject({
      code: 0,
      stdout: '--- a/ports.md\n+++ b/ports.md\n@@ -1,3 +1,3 @@\n # Ports\n \n-Port 80.\n+Port 8080.\n',
    });
    expect(JSON.parse((await ended('diff', '1', ...here, '--json')).stdout)).toMatchObject({
      page: { title: 'Ports' },
    });
    expect(await ended('diff', '3', ...here)).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^# ports is not shown: /),
      stderr: 'scriptorium: the diff is not complete: 1 of 1 texts are not shown\n',
    });
    expect(await ended('merge', '1', ...here)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^merged as /) });
    const conflicts = await ended('merge', '2', ...here);
    expect([conflicts.code, conflicts.stdout]).toEqual([2, 'conflict: edit of ports document\n']);
    expect(conflicts.stderr).toContain('1 conflicts');
    for (const wrong of [
      ['show', '9', ...here],
      ['diff', '1', '--space', 'none'],
    ])
      expect([wrong, (await ended(...wrong)).code]).toEqual([wrong, 1]);
  });
});
