import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { waitFor } from '../test/wait-for.js';

jest.setTimeout(300_000);

const work = tempFolders()();
const data = join(work, 'data');
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0', CONTENT_PORT: '0' });

/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run('conversations', ...args));

const said = (id: string, body: string) => JSON.stringify({ id, parts: [{ type: 'message', role: 'user', body }] });

describe('scriptorium conversations', () => {
  it('sends conversations, shows and exports their clusters, and deletes', async () => {
    await run('start').ready();
    const file = join(work, 'some.jsonl');
    await writeFile(file, [said('1', 'The PDF export fails'), said('2', 'PDF export of pages fails')].join('\n'));
    expect(await ended('ingest', file)).toMatchObject({ code: 0, stderr: '', stdout: '2 of 2\n' });
    const line = await waitFor('a cluster', async () => (await ended('clusters')).stdout || null);
    const [cluster = '', issues, conversations] = line.split('\t');
    expect([issues, conversations]).toEqual(['2', '2']);
    const shown = await ended('show', cluster);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('- The PDF export fails\n')]);
    expect(await ended('clusters', 'show', cluster)).toEqual(shown);
    expect((await ended('clusters', '--since', '30d')).stdout).toBe(line);
    expect((await ended('clusters', '--since', '2999-01-01')).stdout).toBe('');
    const exported = (await ended('export', cluster, '--jsonl')).stdout.trim().split('\n');
    const [first] = exported.map((text) => JSON.parse(text) as { conversation: { id: string } });
    expect(exported).toHaveLength(2);
    const id = first?.conversation.id ?? '';
    expect(await ended('delete', id)).toMatchObject({ code: 0, stdout: `Deleted ${id}\n` });
    expect(await ended('delete', id)).toMatchObject({ code: 0, stdout: `There was no ${id}\n` });
    await writeFile(file, '{"id":"x","parts":[]}');
    await writeFile(file, [said('3', 'One'), said('4', 'Two'), '{"id":"x","parts":[]}'].join('\n'));
    expect(await ended('ingest', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('some.jsonl:3 parts'),
    });
    expect((await ended('ingest', file, '--skip', '2')).stderr).toContain('some.jsonl:3 parts');
    await writeFile(file, '');
    expect((await ended('ingest', file)).stderr).toBe(`scriptorium: ${file} is empty\n`);
    const mailbox = join(work, 'box.mbox');
    await writeFile(mailbox, 'From x Mon Nov 23 10:00:00 2026\nFrom: a@b.example\nMessage-ID: <a>\n\nHello\n');
    expect(await ended('ingest', mailbox)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/message 1 has no usable header Date; .*: 2026-11-23T10:00:00\.000Z\n1 of 1\n$/),
    });
    await writeFile(mailbox, 'From x Thu Jan  1 00:00:00 1970\nFrom: a@b.example\nMessage-ID: <b>\n\nHello\n');
    expect((await ended('ingest', mailbox)).stdout).toMatch(
      /\n1 of 1 are older than 395 days .*: they are not kept\n$/,
    );
    for (const wrong of [
      ['clusters', '--since', 'yesterday'],
      ['ingest', mailbox, '--skip', '-1'],
      ['ingest', file],
      ['ingest', join(work, 'none.jsonl')],
      ['clusters', '--order', 'size'],
      ['clusters', '--min', '0'],
      ['show', 'none'],
    ])
      expect((await ended(...wrong)).code).toBe(1);
  });
});
