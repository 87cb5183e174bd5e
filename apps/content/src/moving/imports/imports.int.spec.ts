import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openBranch } from '@scriptorium/contracts';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectAsker, type Asker } from '../../test/ask.js';
import type { Listed } from '../../test/change-requests.js';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';
import { emptySpace, ended, imported, uploaded, zipOf } from '../../test/zips.js';

jest.setTimeout(120_000);

describe('imports', () => {
  let rig: Rig;
  let ask: Asker;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0', OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
    ask = await connectAsker(rig);
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  const read = async (space: string, path: string) => (await rig.send('GET', `/spaces/${space}/content${path}`)).body;

  it('make one revision of a folder with a table of contents, files, reusable contents and variables', async () => {
    const space = await emptySpace(rig);
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const done = await imported(rig, space, {
      'SUMMARY.md':
        '# Table of contents\n\n* [Welcome](README.md)\n\n## Guides\n\n* [Install](guides/install.md)\n  * [Linux](guides/linux.md)\n* [Elsewhere](https://example.org/)\n',
      'README.md':
        '---\ndescription: The first page\nicon: house\n---\n\n# Hello\n\nSee [how](guides/install.md#run) and ![a picture](.gitbook/assets/dot.png).\n\n{% include ".gitbook/includes/note.md" %}\n',
      'guides/install.md':
        '# Install\n\n## Run\n\nBack to [start](../README.md), on to [Linux](linux.md).\n\n| A | B |\n| - | - |\n| 1 | [x](gone.md) |\n',
      'guides/linux.md': 'Text without a heading.\n',
      '.gitbook/assets/dot.png': png,
      '.gitbook/includes/note.md': '# Note\n\nRead [this](../../README.md).\n',
      '.gitbook/vars.yaml': 'version: "1.10"\n',
    });
    expect(done).toMatchObject({
      status: 'completed',
      report: {
        pages: 5,
        files: 1,
        reusableContents: 1,
        variables: 1,
        warnings: [{ kind: 'link', path: 'guides/install.md', target: 'gone.md' }],
      },
    });
    expect(done.pages.map(({ title, type, status }) => [title, type, status])).toEqual([
      ['Hello', 'page', 'completed'],
      ['Guides', 'folder', 'completed'],
      ['Install', 'page', 'completed'],
      ['Linux', 'page', 'completed'],
      ['Elsewhere', 'link', 'completed'],
    ]);
    const revision = await read(space, '');
    expect(revision).toMatchObject({ id: done.revision, variables: { version: '1.10' } });
    expect(await read(space, '/path/hello?format=markdown')).toMatchObject({
      title: 'Hello',
      description: 'The first page',
      icon: 'house',
      markdown: expect.stringMatching(/\[how\]\(guides\/install\/README\.md#run\).*\/files\/.*reusable-content/s),
    });
    expect(await read(space, '/path/guides/install/linux?format=markdown')).toMatchObject({ title: 'Linux' });
  });

  it('take folders without a table of contents by their names, and pages into a page', async () => {
    const space = await emptySpace(rig);
    const files = {
      'repo-main/README.md': '# Start\n\n[two](./b/two.md), [three](b), [up](../LICENSE), [file](data.json)\n',
      'repo-main/10-last.md': 'x',
      'repo-main/2-first.md': '---\ntitle: Named in front matter\nhidden: maybe\n---\nx',
      'repo-main/a/one.md': '[Start](/README.md)',
      'repo-main/b/README.md': '# B\n',
      'repo-main/b/two.md': '# Two\n\n![](https://example.org/a.png) [gone](../gone.md)\n',
      'repo-main/data.json': '{}',
      'repo-main/unused.bin': 'x',
    };
    const done = await imported(rig, space, files, { outsideLinks: 'https://example.org/repo/docs' });
    const warnings = [
      { kind: 'front_matter', path: '2-first.md', target: 'hidden' },
      { kind: 'link', path: 'b/two.md', target: '../gone.md' },
      { kind: 'unused_file', path: 'unused.bin' },
    ];
    expect(done.report).toEqual({ pages: 7, files: 1, reusableContents: 0, variables: 0, warnings, moreWarnings: 0 });
    const pages = get((await rig.send('GET', `/spaces/${space}/content/pages`)).body, 'pages') as Listed[];
    expect(outline(pages)).toEqual([
      'Start (start)',
      'Named in front matter (2-first)',
      '10 last (10-last)',
      'A (a): One (one)',
      'B (b): Two (two)',
    ]);
    expect((await read(space, '/path/start?format=markdown'))['markdown']).toContain(
      'https://example.org/repo/LICENSE',
    );

    const [start] = pages;
    const inside = await uploaded(rig, 'inside.zip', await zipOf({ 'c/x.md': '# X\n', 'd.md': '# D\n' }));
    const body = { source: { type: 'file', files: [inside] }, target: { space, page: start?.id } };
    const begun = await rig.send('POST', `/orgs/${rig.organization}/imports`, { body });
    expect(await ended(rig, String(begun.body['id']))).toMatchObject({ status: 'completed' });
    expect(await read(space, '/path/start/c/x')).toMatchObject({ title: 'X' });
  });

  it('leave out pages whose condition cannot be evaluated, with everything in them, and say so', async () => {
    const space = await emptySpace(rig);
    const files = {
      'SUMMARY.md':
        '* [A](a.md)\n* [Secret](secret.md)\n  * [Inside](inside.md)\n* [Odd](odd.md)\n* [Paid](paid.md)\n* [Broken](broken.md)\n* [Endless](endless.md)\n* [Ruled](ruled.md)\n',
      'broken.md': '---\n"if": "paid" == visitor.claims.plan\n---\n# Broken\n',
      'endless.md': `---\n${'more: ]\n'.repeat(2_000)}if: visitor.claims.plan == "paid"\n---\n# Endless\n`,
      'ruled.md': '---\n\nA rule above.\n',
      'a.md': '# A\n\n[secret](secret.md)\n',
      'secret.md': '---\nif: visitor.claims.plan ==\n---\n# Secret\n\n[gone](gone.md)\n',
      'inside.md': '# Inside\n',
      'odd.md': '---\nif: [1]\n---\n# Odd\n',
      'paid.md': '---\nif: visitor.claims.plan == "paid"\n---\n# Paid\n',
    };
    const done = await imported(rig, space, files);
    expect(done).toMatchObject({ status: 'completed', report: { pages: 3 } });
    expect((done.report as { warnings: unknown[] }).warnings).toEqual([
      { kind: 'condition', path: 'secret.md', target: 'if' },
      { kind: 'condition', path: 'odd.md', target: 'if' },
      { kind: 'condition', path: 'broken.md', target: 'if' },
      { kind: 'condition', path: 'endless.md', target: 'if' },
      { kind: 'condition', path: 'inside.md' },
    ]);
    expect(
      (done.pages as { title: string; status: string }[]).map(({ title, status }) => `${title} ${status}`),
    ).toEqual([
      ...['A completed', 'Secret failed', 'Inside failed', 'Odd failed', 'Paid completed', 'Broken failed'],
      ...['Endless failed', 'Ruled completed'],
    ]);
    const pages = get((await rig.send('GET', `/spaces/${space}/content/pages`)).body, 'pages') as Listed[];
    expect(outline(pages)).toEqual(['A (a)', 'Paid (paid)', 'Ruled (ruled)']);
    expect(await read(space, '/path/paid')).toMatchObject({ condition: 'visitor.claims.plan == "paid"' });
  });

  it('replace the content: pages and their blocks keep their ids where the paths are the same', async () => {
    const space = await emptySpace(rig);
    const ids = await changeContentOf(rig, space, [
      page('Old', 'One.\n\nTwo.', { ref: 'old' }),
      page('Gone', 'Text.', { ref: 'gone' }),
    ]);
    const keysOf = async () => {
      const { document } = await read(space, `/page/${ids['old'] ?? ''}?format=document`);
      return (document as { nodes: { key: string }[] }).nodes.map(({ key }) => key);
    };
    const [first] = await keysOf();
    const files = { 'SUMMARY.md': '* [New](old.md)\n', 'old.md': '# New\n\nOne.\n\nThree.\n' };
    const done = await imported(rig, space, files, { mode: 'replace' });
    expect(done.pages).toMatchObject([{ id: ids['old'], title: 'New' }]);
    expect((await keysOf())[0]).toBe(first);
    expect((await rig.send('GET', `/spaces/${space}/content/page/${ids['gone'] ?? ''}`)).status).toBe(404);
    const again = await imported(rig, space, files, { mode: 'replace' });
    expect([again.status, again.revision]).toEqual(['completed', done.revision]);
  });

  it('fetch an archive from a public address, and go into a change request', async () => {
    const space = await emptySpace(rig);
    const bytes = await zipOf({ 'one.md': '# One\n' });
    const server = createServer((request, response) => {
      if (request.url === '/a.zip') response.end(bytes);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const request = `request${space}`;
    await ask(openBranch, { space, branch: request });
    const begin = (name: string) =>
      rig.send('POST', `/orgs/${rig.organization}/imports`, {
        body: {
          source: { type: 'url', url: `http://127.0.0.1:${port}/${name}` },
          target: { space, changeRequest: request },
        },
      });
    const done = await ended(rig, String((await begin('a.zip')).body['id']));
    expect(done).toMatchObject({ status: 'completed', target: { changeRequest: request } });
    expect((await rig.send('GET', `/spaces/${space}/change-requests/${request}/content/path/one`)).status).toBe(200);
    expect((await rig.send('GET', `/spaces/${space}/content/path/one`)).status).toBe(404);
    const failed = await ended(rig, String((await begin('b.zip')).body['id']));
    expect(failed).toMatchObject({ status: 'failed', reason: 'bad_gateway', failure: { reason: 'bad_gateway' } });
    server.close();
  });

  it('are refused where they cannot be made, naming the field', async () => {
    const space = await emptySpace(rig);
    const locked = String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: {} })).body['id']);
    const reader = await rig.member('Rita Reader', 'read');
    const key = await uploaded(rig, 'a.md', Buffer.from('x'));
    const file = { type: 'file', files: [key] };
    const refusal = async (body: object, token?: string) => {
      const options = { body, ...(token === undefined ? {} : { token }) };
      const answer = await rig.send('POST', `/orgs/${rig.organization}/imports`, options);
      return [answer.status, answer.body.error.reason, answer.body.error.details?.[0]?.path];
    };
    const cases: [object, unknown[], string?][] = [
      [{ source: file, target: { space: 'none' } }, [404, 'not_found', 'body.target.space']],
      [{ source: file, target: { space } }, [403, 'forbidden', 'body.target.space'], reader.token],
      [{ source: file, target: { space: locked } }, [403, 'space_locked', undefined]],
      [{ source: file, target: { space, changeRequest: 'x' } }, [404, 'not_found', 'body.target.changeRequest']],
      [{ source: file, target: { space, page: 'x' } }, [404, 'not_found', 'body.target.page']],
      [
        { source: { type: 'file', files: ['none'] }, target: { space } },
        [422, 'content_change_invalid', 'body.source.files[0]'],
      ],
      [{ source: { type: 'file', files: [] }, target: { space } }, [400, 'invalid_request', 'body.source.files']],
      [
        { source: { type: 'url', url: 'http://10.0.0.1/a.zip' }, target: { space } },
        [400, 'invalid_request', 'body.source.url'],
      ],
      [
        { source: { type: 'website', url: 'https://example.org/' }, target: { space } },
        [400, 'invalid_request', 'body.source.type'],
      ],
    ];
    for (const [body, expected, token] of cases) expect(await refusal(body, token)).toEqual(expected);
    const theirs = await uploaded(rig, 'a.md', Buffer.from('x'), (await rig.member('Eva Editor', 'edit')).token);
    expect(await refusal({ source: { type: 'file', files: [theirs] }, target: { space } })).toEqual([
      422,
      'content_change_invalid',
      'body.source.files[0]',
    ]);
  });

  it('take over the documentation of this repository without a warning', async () => {
    const space = await emptySpace(rig);
    const folder = fileURLToPath(new URL('../../../../../docs/', import.meta.url));
    const files: Record<string, Buffer> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files[relative(folder, path)] = await readFile(path);
    }
    const outsideLinks = 'https://example.org/scriptorium/docs/';
    const done = await imported(rig, space, await zipOf(files), { outsideLinks });
    const unused = Object.keys(files).filter((path) => !/(\.md|rich-text\/index\.html)$/.test(path));
    const warnings = unused.sort().map((path) => ({ kind: 'unused_file', path }));
    expect(done.report.warnings.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(warnings);
    expect(done.status).toBe('completed');
    expect(done.report.pages).toBeGreaterThan(100);
    const { stats } = (await rig.send('GET', `/spaces/${space}/links?limit=1`)).body as never as {
      stats: { broken: { total: number } };
    };
    expect(stats.broken.total).toBe(0);
  });
});

/** Pages as one line for each of the first level. */
function outline(pages: readonly Listed[]): string[] {
  return pages.map(({ title, slug, pages: inner = [] }) => {
    const below = outline(inner);
    return `${title} (${slug ?? ''})${below.length === 0 ? '' : `: ${below.join(', ')}`}`;
  });
}
