import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const folder = tempFolders();
const data = join(folder(), 'data');
const commands = trackedCommands();

const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0' });

describe('scriptorium rebuild', () => {
  it('ends with one line when there is no installation', async () => {
    const running = run('rebuild', 'identity');
    expect(await running.ended()).toBe(1);
    expect(running.stderr()).toBe(
      `scriptorium: set SCRIPTORIUM_URL and SCRIPTORIUM_TOKEN: there is no ${join(data, 'first-run.json')}\n`,
    );
  });

  it('shows both hashes of every projection of a service, or of one', async () => {
    await run('start').ready();
    const all = run('rebuild', 'identity');
    expect([await all.ended(), all.stderr()]).toEqual([0, '']);
    const hashes = [
      ...all.stdout().matchAll(/^(\w+): equal\n {2}live {4}([0-9a-f]{64}) .*\n {2}rebuilt ([0-9a-f]{64}) /gm),
    ];
    const [name = ''] = hashes.map(([, shown = '']) => shown).filter((shown) => shown.startsWith('organization_v'));
    expect(name).toMatch(/^organization_v\d+$/);
    for (const [, , live, rebuilt] of hashes) expect(rebuilt).toBe(live);
    const one = run('rebuild', 'identity', name);
    expect(await one.ended()).toBe(0);
    expect(one.stdout().trim().split('\n')).toHaveLength(3);
  });

  it('has a sibling that verifies content', async () => {
    const verifying = run('verify', '--content');
    expect(await verifying.ended()).toBe(0);
    expect(verifying.stdout()).toMatch(/^\d+ revisions, \d+ objects and 0 files were looked at; 0 are not in use\n$/);
  });

  it('ends with one line for an unknown service or projection', async () => {
    const service = run('rebuild', 'nowhere');
    expect(await service.ended()).toBe(1);
    expect(service.stderr()).toBe(
      `scriptorium: there is no service nowhere; there are ${services.map(({ name }) => name).join(', ')}\n`,
    );
    const projection = run('rebuild', 'identity', 'nothing_v1');
    expect(await projection.ended()).toBe(1);
    expect(projection.stderr()).toBe(
      'scriptorium: nothing_v1: There is no such projection here, or you may not see it\n',
    );
  });
});
