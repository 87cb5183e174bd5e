import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@scriptorium/contracts';
import { describe, expect, it, jest } from '@jest/globals';
import { addressOf } from '../installation/address.js';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const work = tempFolders()();
const settings = { DATA_DIR: join(work, 'data'), PORT: '0', CONTENT_PORT: '0' };
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, settings);
/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run(...args));

describe('scriptorium translations and glossary', () => {
  it('create, run and show translations, and write a glossary to a file and back', async () => {
    await run('start').ready();
    const client = createClient(await addressOf(settings));
    const { items } = await client.listOrganizationsForAuthenticatedUser({ query: {} });
    const params = { organizationId: items[0]?.id ?? '' };
    const { id: space } = await client.createSpace({ params, body: { title: 'Guide', language: 'en' } });
    const instructions = join(work, 'instructions.md');
    await writeFile(instructions, 'Be brief.');

    const made = await ended('translations', 'create', space, 'de', '--instructions', instructions);
    const id = made.stdout.trim();
    expect([made.code, id]).toEqual([0, expect.stringMatching(/^[\w-]+$/)]);
    const watched = await ended('translations', 'run', id, '--force', '--watch');
    expect([watched.code, watched.stdout]).toEqual([2, expect.stringContaining('error: no_provider')]);
    const status = await ended('translations', 'status', id);
    expect([status.code, status.stdout]).toEqual([2, expect.stringContaining(`source: ${space} (en)\nlanguage: de\n`)]);
    expect((await ended('translations', 'list')).stdout).toBe(`${[id, space, 'de', 'no_provider', 0].join('\t')}\n`);
    expect(await ended('translations', 'segments', id, '--problem')).toMatchObject({ code: 0, stdout: '' });
    for (const wrong of [
      ['translations', 'create', space, 'xx'],
      ['translations', 'create', space, 'en'],
      ['translations', 'create', space, 'fr', '--instructions', join(work, 'none')],
      ['translations', 'status', 'none'],
      ['translations', 'pin', id, 'none', 'Text'],
      ['glossary', 'import', join(work, 'none')],
    ])
      expect([wrong, (await ended(...wrong)).code]).toEqual([wrong, 1]);

    const csv = join(work, 'terms.csv');
    await writeFile(csv, 'en,de\nspace,Bereich\nScriptorium,-\n');
    const imported = await ended('glossary', 'import', csv);
    expect(imported).toMatchObject({ code: 0, stderr: '', stdout: '2 inserted, 0 changed, 0 deleted\n' });
    expect((await ended('glossary', 'export', csv)).stdout).toBe('2 entries\n');
    const lines = (await readFile(csv, 'utf8')).trim().split('\n');
    expect(lines.map((line) => line.replace(/^[^,]*,/, '')).sort()).toEqual([
      'Scriptorium,-',
      'en,de',
      'space,Bereich',
    ]);
    await writeFile(csv, 'en,de\nspace,Raum\n');
    const replaced = await ended('glossary', 'import', csv, '--replace');
    expect(replaced.stdout).toBe('0 inserted, 1 changed, 1 deleted\n');
  });
});
