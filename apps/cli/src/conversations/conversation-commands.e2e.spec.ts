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
    const exported = (await ended('export', cluster)).stdout.trim().split('\n');
    const [first] = exported.map((text) => JSON.parse(text) as { conversation: { id: string } });
    expect(exported).toHaveLength(2);
    const id = first?.conversation.id ?? '';
    expect(await ended('delete', id)).toMatchObject({ code: 0, stdout: `Deleted ${id}\n` });
    expect(await ended('delete', id)).toMatchObject({ code: 0, stdout: `There was no ${id}\n` });
    await writeFile(file, '{"id":"x","parts":[]}');
    for (const wrong of [
      ['ingest', file],
      ['ingest', join(work, 'none.jsonl')],
      ['clusters', '--order', 'size'],
      ['clusters', '--min', '0'],
      ['show', 'none'],
    ])
      expect((await ended(...wrong)).code).toBe(1);
  });
});
