import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ended, trackedCommands, type Ended } from '../test/command.js';
import { tempFolders } from '../test/temp-folder.js';
import { version } from '../version.js';
import { compiler, install, packTo, typesFolder } from './test/installed.js';

jest.setTimeout(300_000);

const folder = tempFolders()();
const data = join(folder, 'data');
const commands = trackedCommands();
const sample = fileURLToPath(new URL('./test/first-request.child.ts', import.meta.url));

/** What the README does not use. */
const further = `import {
  createClient, followOperation, isReason, limitPresets, operations, patienceMs, patientFetch, reasonStatus,
  type AnswerOf, type CallOf, type Space,
} from '@scriptorium/client';

const options = { endpoint: 'https://docs.example.org', fetch: patientFetch() };
const api = createClient(options);
export const gone: Promise<boolean> = api.removeTeamFromOrganizationById({ params: { organizationId: 'o', teamId: 't' } });
export const call: CallOf<'listTeamsInOrganizationById'> = { params: { organizationId: 'o' }, query: { limit: 3 } };
export const list: Promise<AnswerOf<'listTeamsInOrganizationById'>> = api.listTeamsInOrganizationById(call);
export const space: Promise<Space> = api.getSpaceById({ params: { spaceId: 's' } });
const changes = followOperation(options, operations.listOrganizationChanges, call, AbortSignal.timeout(1));
export const actions = async () => (await changes.next()).value?.action;
// @ts-expect-error A team needs a title.
void api.createOrganizationTeam({ params: { organizationId: 'o' }, body: {} });
// @ts-expect-error The parameter has another name.
void api.getSpaceById({ params: { space: 's' } });
export const numbers = [limitPresets['spacesPerOrganization'], patienceMs, reasonStatus.not_found, isReason('gone')];
`;

let program: string;
const run = (...args: string[]) =>
  commands.run(args, { DATA_DIR: data, PORT: '0', CONTENT_PORT: '0' }, folder, [program]);

beforeAll(() => {
  const packed = packTo(folder);
  expect(packed).toContain('packages: all well');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const tarball = (start: string) => join(folder, readdirSync(folder).find((name) => name.startsWith(start)) ?? '');
  install(folder, tarball('scriptorium-client-'), '@scriptorium/client');
  program = join(install(folder, tarball(`scriptorium-${version}`), 'scriptorium'), 'apps/cli/bin/scriptorium.js');
});

describe('the tarballs, installed into an empty folder', () => {
  it('have a client whose types compile under strict, as the README shows it', () => {
    copyFileSync(sample, join(folder, 'first-request.ts'));
    writeFileSync(join(folder, 'further.ts'), further);
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [typesFolder],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    const { stdout, status } = spawnSync(process.execPath, [compiler], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('have a command that starts an installation, and drives one; the client asks it', async () => {
    const said = await ended(run('--version'));
    expect([said.code, said.stdout]).toEqual([0, `${version}\n`]);
    const running = run('start');
    await running.ready();

    const url = running.address();
    const { token } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as { token: string };
    const status = await ended(run('status', '--url', url));
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(`at ${url}: ready`)]);
    const whoami = await ended(run('whoami', '--url', url, '--token', token));
    expect([whoami.code, whoami.stdout]).toEqual([0, expect.stringContaining('admin@example.com')]);

    const asked = (secret: string): Promise<Ended> =>
      ended(
        commands.run([], { SCRIPTORIUM_URL: url, SCRIPTORIUM_TOKEN: secret }, folder, [
          join(folder, 'first-request.js'),
        ]),
      );
    const { code, stdout, stderr } = await asked(token);
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^.+: .*\n$/), '']);
    const refused = await asked('scr_none');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^unauthenticated: /)]);
  });
});
