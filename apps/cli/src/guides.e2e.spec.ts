import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { readJson } from './installation/private-file.js';
import { trackedCommands } from './test/command.js';
import { blocksOf, guideIn, isAsShown, runGuide } from './test/guide.js';
import { tempFolders } from './test/temp-folder.js';

jest.setTimeout(300_000);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guides = join(root, 'docs/guides');
const text = (name: string) => readFileSync(join(guides, name), 'utf8');
const folder = tempFolders();
const data = join(folder(), 'data');
const commands = trackedCommands();

/** What a reader has set before a guide begins, and nothing else: `docs/guides/README.md` names it. */
interface Settings {
  PATH: string;
  SCRIPTORIUM_URL: string;
  SCRIPTORIUM_TOKEN: string;
}

describe('how guides are run', () => {
  const page = 'A guide.\n\n```sh\necho one\n```\n\n```text\n…ne\n```\n\n```sh\nx=2\necho $x >&2\nno_such\n```\n';

  it('every command has the line of the guide, and what is printed is compared with the block behind it', async () => {
    expect(guideIn(page).script.split('\n').slice(3, 13)).toEqual([
      'echo one',
      ...['', '', '', '', ''],
      '',
      "printf '\\n\u001e11\u001e\\n'",
      'x=2',
      'echo $x >&2',
    ]);
    const env = { PATH: process.env['PATH'] ?? '' };
    const cwd = folder();
    expect(await runGuide(page, { cwd, env })).toEqual([
      expect.stringMatching(/^the block of line 11 ended with 127: 2\n.*line 14: no_such/),
    ]);
    const other = page.replace('no_such\n', '').replace('…ne', 'two');
    expect(await runGuide(other, { cwd, env })).toEqual(['the block of line 3 does not print line 7: one']);
    expect(await runGuide(page.replace('no_such\n', ''), { cwd, env })).toEqual([]);
  });

  it('`…` stands for anything within a line, and alone for any lines', () => {
    expect(isAsShown('a … d\n…\nz', 'a b c d\nx\ny\nz\n')).toBe(true);
    expect(isAsShown('…\nz', 'z')).toBe(true);
    for (const printed of ['a b\nz', 'a d\nz\ny']) expect(isAsShown('a … d\n…\nz', printed)).toBe(false);
  });
});

describe('the guides', () => {
  let env: Settings;
  beforeAll(async () => {
    await commands.run(['start'], { DATA_DIR: data, PORT: '0' }).ready();
    const first = (await readJson(join(data, 'first-run.json'))) as { endpoint: string; token: string };
    env = {
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      SCRIPTORIUM_URL: first.endpoint,
      SCRIPTORIUM_TOKEN: first.token,
    };
  });

  const run = (name: string, cwd = folder()) => runGuide(text(name), { cwd, env: { ...env } });

  it('are all listed, with what has to be set before', () => {
    const pages = readdirSync(guides).filter((name) => name.endsWith('.md') && name !== 'README.md');
    for (const name of pages) expect(text('README.md')).toContain(`](${name})`);
    const [before] = blocksOf(text('README.md')).filter(({ language }) => language === 'sh');
    const set = before?.lines.flatMap((line) => /^export (\w+)=/.exec(line)?.[1] ?? []);
    expect(set).toEqual(Object.keys(env));
  });

  it('lead from nothing to a site', async () => {
    expect(await run('from-nothing-to-a-site.md')).toEqual([]);
  });

  it('put a script on a site', async () => {
    expect(await run('put-a-script-on-a-site.md')).toEqual([]);
  });

  it('move exports of other products here', async () => {
    const cwd = folder();
    cpSync(fileURLToPath(new URL('test/exports', import.meta.url)), cwd, { recursive: true });
    expect(await run('move-here.md', cwd)).toEqual([]);
  });

  it('keep pages in a repository, whose CI runs nothing but the scripts that the guide has run', async () => {
    const page = text('docs-as-code.md');
    const blocks = blocksOf(page);
    const run = blocks.filter(({ language }) => language === 'sh').flatMap(({ lines }) => lines);
    const pipelines = blocks
      .filter(({ language }) => language === 'yaml')
      .map(({ lines }) => parse(lines.join('\n')) as unknown);
    expect(pipelines).toHaveLength(2);
    for (const pipeline of pipelines) {
      const scripts = commandsIn(pipeline).filter((command) => !command.startsWith('npm install --global'));
      expect([...new Set(scripts)].sort()).toEqual(['sh ci/close.sh', 'sh ci/preview.sh', 'sh ci/publish.sh']);
      for (const script of scripts) expect(run.some((line) => line.includes(script))).toBe(true);
      // What the scripts read, and the pipeline does not set, its project does: the guide tells which.
      for (const [, name = ''] of run.join('\n').matchAll(/"\$([A-Z_]+)"/g))
        expect([name, page.includes(`\`${name}\``) || JSON.stringify(pipeline).includes(`"${name}"`)]).toEqual([
          name,
          true,
        ]);
    }
    expect(await runGuide(page, { cwd: folder(), env: { ...env } })).toEqual([]);
  });
});

/** What the jobs of a pipeline run: `run` of GitHub's steps, `script` and `before_script` of GitLab's jobs. */
function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) =>
    /^(run|script|before_script)$/.test(name) ? ([inside].flat() as string[]) : commandsIn(inside),
  );
}
