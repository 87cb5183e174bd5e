import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { readText } from '../installation/private-file.js';
import { ended as commandEnded, trackedCommands } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';

jest.setTimeout(300_000);

const data = join(tempFolders()(), 'data');
const commands = trackedCommands();
const run = (...args: string[]) => commands.run(args, { DATA_DIR: data, PORT: '0', CONTENT_PORT: '0' });
/** Runs a command to its end. */
const ended = (...args: string[]) => commandEnded(run(...args));

describe('scriptorium status and doctor', () => {
  it('tell what runs, what does not, and whether everything is well, without any secret', async () => {
    const nothing = await ended('status');
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('nothing runs on')]);
    expect(await ended('status', '--url', 'http://no-such-host.invalid')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^scriptorium: the installation does not answer: getaddrinfo .*\n$/),
    });
    const running = run('start');
    await running.ready();

    const local = await ended('status');
    expect([local.code, local.stdout]).toEqual([
      0,
      expect.stringMatching(/services +ready {2}admin 127\S+ {2}since 2/),
    ]);
    const json = JSON.parse((await ended('status', '--json')).stdout) as { processes: { name: string }[] };
    expect(json).toMatchObject({ ready: true, pid: running.pid, endpoint: running.address() });
    expect(json.processes.map(({ name }) => name)).toEqual(expect.arrayContaining(['servers', 'gateway', 'services']));
    const remote = await ended('status', '--url', running.address());
    expect([remote.code, remote.stdout]).toEqual([
      0,
      expect.stringMatching(/^Scriptorium \S+ \(.*\) at http.*: ready\n$/),
    ]);

    const doctor = await ended('doctor');
    expect([doctor.stderr, doctor.code]).toEqual(['', 0]);
    for (const name of [
      'node',
      'settings',
      'namespace',
      'keys',
      'disk',
      'ports',
      'EventStoreDB',
      'MongoDB',
      'NATS',
      'clock',
    ])
      expect(doctor.stdout).toMatch(new RegExp(`^ok    ${name} `, 'm'));
    expect(doctor.stdout).toMatch(/MongoDB +version \d/);
    const secrets = `${await readText(join(data, 'secret-keys'))},${await readText(join(data, 'server-passwords'))}`;
    for (const secret of secrets
      .trim()
      .split(/[,:\s]+/)
      .filter((one) => one.length > 20))
      expect(doctor.stdout).not.toContain(secret);
    const wrong = await commandEnded(commands.run(['doctor', '--json'], { DATA_DIR: data, NAMESPACE: 'Not One' }));
    const lines = wrong.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; ok: boolean });
    expect(wrong.code).toBe(1);
    expect(lines).toContainEqual(expect.objectContaining({ name: 'settings', ok: false }));
  });
});
