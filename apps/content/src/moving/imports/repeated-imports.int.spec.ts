import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openBranch, readBranch, updateBranch } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { startRig, type Rig } from '../../test/rig.js';
import { emptySpace, ended, exported, filesOf, imported, uploaded, zipOf, type ShownImport } from '../../test/zips.js';

jest.setTimeout(120_000);

const folder = {
  'README.md': '# Hello\n\nSee [how](<Guides/Getting Started.md>), ![](img/My%20Dot.png).\n',
  'Guides/README.md': 'Guides without a heading.\n',
  'Guides/Getting Started.md': '---\nid: start\n---\n\n# Getting started\n\nWords.\n',
  'Guides/v1.2 Notes.md': '# Notes\n\nOther words.\n',
  'Other things/Q&A.md': '# Questions\n\nAnd [answers](../README.md).\n',
  'img/My Dot.png': 'no picture',
};
const summary = {
  ...folder,
  'SUMMARY.md':
    '# Summary\n\n* [Hello](README.md)\n\n## Guides\n\n* [Start](<Guides/Getting Started.md>)\n  * More\n    * [Notes](<Guides/v1.2 Notes.md>)\n* [Away](https://example.org/)\n\n## Other\n\n* [Q](<Other things/Q&A.md>)\n',
};
type Files = Readonly<Record<string, string>>;

describe('a folder that is imported again with replace', () => {
  let rig: Rig;
  let ask: Asker;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
    ask = await connectAsker(rig);
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  const replaced = (space: string, files: Files): Promise<ShownImport> =>
    imported(rig, space, files, { mode: 'replace' });
  /** Ids by paths, or by titles of what has no file. */
  const idsOf = ({ pages }: ShownImport) => Object.fromEntries(pages.map(({ id, path, title }) => [path ?? title, id]));
  const read = async (space: string, path: string) => (await rig.send('GET', `/spaces/${space}/content${path}`)).body;

  it.each<[string, Files]>([
    ['of folders', folder],
    ['with a table of contents', summary],
  ])('%s keeps its ids, and makes no revision if nothing has changed', async (_what, files) => {
    const space = await emptySpace(rig);
    const first = await replaced(space, files);
    expect(first.report).toMatchObject({ files: 1, warnings: first.report.warnings.filter(isUnlisted) });
    const before = await read(space, '');
    const again = await replaced(space, files);
    expect([again.status, again.revision, idsOf(again)]).toEqual(['completed', first.revision, idsOf(first)]);
    expect(await read(space, '')).toEqual(before);
  });

  it('keeps ids, moments and order of what stays when pages are added, changed and removed', async () => {
    const space = await emptySpace(rig);
    const first = await replaced(space, folder);
    const { 'Guides/v1.2 Notes.md': _, ...others } = folder;
    const moment = async (path: string) => (await read(space, `/page/${idsOf(first)[path] ?? ''}`))['updatedAt'];
    const before = await moment('Other things/Q&A.md');
    const changed = { ...others, 'Guides/README.md': '# Changed\n', 'Guides/A new page.md': 'New.\n' };
    const second = await replaced(space, changed);
    expect(second.revision).not.toBe(first.revision);
    for (const path of Object.keys(others).filter((name) => name.endsWith('.md')))
      expect([path, idsOf(second)[path]]).toEqual([path, idsOf(first)[path]]);
    expect(await moment('Other things/Q&A.md')).toBe(before);
    expect(await read(space, `/page/${idsOf(second)['Guides/README.md'] ?? ''}`)).toMatchObject({
      title: 'Changed',
      importedFrom: { path: 'Guides/README.md' },
    });
  });

  it('knows renamed files by the id of their front matter, then by the same bytes, and their former paths lead on', async () => {
    const space = await emptySpace(rig);
    const first = await replaced(space, folder);
    const { 'Guides/Getting Started.md': started, 'Other things/Q&A.md': questions, ...others } = folder;
    const renamed = {
      ...others,
      'Begin/First steps.md': `${started}\nMore words.\n`,
      'Faq/Q&A.md': questions,
    };
    const second = await replaced(space, renamed);
    const [was, is] = [idsOf(first), idsOf(second)];
    expect([is['Begin/First steps.md'], is['Faq/Q&A.md'], is['Faq']]).toEqual([
      was['Guides/Getting Started.md'],
      was['Other things/Q&A.md'],
      was['Other things'],
    ]);
    expect(await read(space, '/path/begin/first-steps')).toMatchObject({
      importedFrom: { path: 'Begin/First steps.md', id: 'start' },
    });
    expect((await replaced(space, renamed)).revision).toBe(second.revision);
  });

  it('does the same in a change request', async () => {
    const space = await emptySpace(rig);
    const first = await replaced(space, folder);
    const branch = `request${space}`;
    await ask(openBranch, { space, branch });
    const into = async (files: Files) => {
      const key = await uploaded(rig, 'a.zip', await zipOf(files));
      const body = {
        source: { type: 'file', files: [key] },
        target: { space, changeRequest: branch },
        mode: 'replace',
      };
      const begun = await rig.send('POST', `/orgs/${rig.organization}/imports`, { body });
      return ended(rig, String(begun.body['id']));
    };
    const same = await into(folder);
    expect([same.revision, idsOf(same)]).toEqual([first.revision, idsOf(first)]);
    const changed = await into({ ...folder, 'README.md': '# Hello again\n' });
    expect(idsOf(changed)).toEqual(idsOf(first));
    const { body } = await rig.send(
      'GET',
      `/spaces/${space}/change-requests/${branch}/content/page/${idsOf(first)['README.md'] ?? ''}`,
    );
    expect(body['title']).toBe('Hello again');

    // Whoever replaces the content has decided on what the space had changed meanwhile.
    await into({ ...folder, 'README.md': '# Hello again\n\nOurs.\n' });
    await replaced(space, { ...folder, 'README.md': '# Hi\n\nTheirs.\n' });
    expect(await ask(updateBranch, { space, branch })).toMatchObject({ result: 'conflicts' });
    await into({ ...folder, 'README.md': '# Hello and hi\n\nOurs and theirs.\n' });
    expect(await ask(readBranch, { space, branch })).toMatchObject({ conflicts: [], outdated: false });
  });

  it('is refused if it has no pages, unless that is allowed', async () => {
    const space = await emptySpace(rig);
    await replaced(space, folder);
    const begin = async (files: Files, more: object = {}) => {
      const key = await uploaded(rig, 'a.zip', await zipOf(files));
      const body = { source: { type: 'file', files: [key] }, target: { space }, mode: 'replace', ...more };
      return rig.send('POST', `/orgs/${rig.organization}/imports`, { body });
    };
    const nothing = { 'a.rst': 'Text', 'b/c.png': 'x' };
    const refused = await begin(nothing);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'import_empty']);
    const hidden = await ended(rig, String((await begin({ 'a.md': '---\nif: no ==\n---\n' })).body['id']));
    expect(hidden).toMatchObject({ status: 'failed', failure: { reason: 'import_empty' } });
    expect((await read(space, '/pages'))['pages']).toHaveLength(3);
    const emptied = await ended(rig, String((await begin(nothing, { allowEmpty: true })).body['id']));
    expect(emptied).toMatchObject({
      status: 'completed',
      report: {
        pages: 0,
        warnings: [
          { kind: 'unused_file', path: 'a.rst' },
          { kind: 'unused_file', path: 'b/c.png' },
        ],
      },
    });
    expect((await read(space, '/pages'))['pages']).toEqual([]);
  });

  it('keeps conditions, also of groups, when an export is edited and its table of contents with it', async () => {
    const space = await emptySpace(rig);
    await replaced(space, summary);
    const condition = 'visitor.claims.plan == "paid"';
    const pages = (await read(space, ''))['pages'] as { id: string; title: string; type: string; slug: string }[];
    const group = pages.find(({ title }) => title === 'Guides');
    const changes = [
      { operation: 'update_group', page: group?.id, condition, icon: 'lock' },
      { operation: 'update_page', page: pages.find(({ title }) => title === 'Hello')?.id, condition },
    ];
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes } })).status).toBe(200);
    const archive = await exported(rig, space);
    const files = await filesOf(archive);
    const text = files['SUMMARY.md']?.toString() ?? '';
    const edited = async (to: string, from: (text: string) => string) => {
      const done = await imported(rig, to, { ...files, 'SUMMARY.md': from(text) }, { mode: 'replace' });
      expect(done.status).toBe('completed');
      const now = (await read(to, ''))['pages'] as Record<string, unknown>[];
      return now.map(({ title, condition: own, icon }) => [title, own, icon]);
    };
    const same = [
      ['Hello', condition, undefined],
      ['Guides', condition, 'lock'],
      ['Other', undefined, undefined],
    ];
    expect(text).toContain('## Guides');
    for (const to of [space, await emptySpace(rig)]) {
      expect(await edited(to, (given) => `${given}\n`)).toEqual(same);
      expect(await edited(to, (given) => given.replace('## Guides', '## Renamed'))).toEqual([
        same[0],
        ['Renamed', condition, 'lock'],
        same[2],
      ]);
    }
  });

  it('keeps conditions of groups that were given to them here, of a folder that cannot say them', async () => {
    const space = await emptySpace(rig);
    await replaced(space, summary);
    const condition = 'visitor.claims.plan == "paid"';
    const groups = (await read(space, ''))['pages'] as { id: string; title: string }[];
    const body = { changes: [{ operation: 'update_group', page: groups[1]?.id, condition }] };
    expect((await rig.send('POST', `/spaces/${space}/content`, { body })).status).toBe(200);
    for (const title of ['Guides', 'Guide for all']) {
      const text = summary['SUMMARY.md'].replace('## Guides', `## ${title}`);
      await replaced(space, { ...summary, 'SUMMARY.md': text });
      const now = (await read(space, ''))['pages'] as Record<string, unknown>[];
      expect(now.map((one) => [one['title'], one['condition']])[1]).toEqual([title, condition]);
    }
  });
});

function isUnlisted({ kind }: { kind: string }): boolean {
  return kind === 'unlisted_page';
}
