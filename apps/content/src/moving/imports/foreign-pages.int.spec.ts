import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRig, type Rig } from '../../test/rig.js';
import { emptySpace, imported } from '../../test/zips.js';

jest.setTimeout(120_000);

describe('pages of other products', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const markdownAt = async (space: string, path: string) =>
    (await rig.send('GET', `/spaces/${space}/content/path/${path}?format=markdown`)).body['markdown'];

  it('in MDX are read as markdown, with one warning for all code that is left out', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'index.mdx':
        "import Tabs from '@theme/Tabs';\n\nexport const a = 1;\n\n# Start\n\nSee [more](more) and {a}.\n\n<Odd>Inside.</Odd>\n",
      'more.mdx': '# More\n\nBack to [start](./index.mdx).\n',
      'own.md': '# Own\n\n:::tip\nUse it.\n:::\n\nCurly {braces} stay.\n',
    });
    expect(done.report).toMatchObject({ pages: 3 });
    expect(done.report.warnings).toEqual([
      { kind: 'left_out', path: 'index.mdx', target: expect.stringMatching(/import.*Odd/) },
    ]);
    expect(await markdownAt(space, 'start')).toBe('# Start\n\nSee [more](more.md) and .\n\nInside.\n');
    expect(await markdownAt(space, 'more')).toBe('# More\n\nBack to [start](start.md).\n');
    expect(await markdownAt(space, 'own')).toBe(
      '# Own\n\n{% hint style="success" %}\nUse it.\n{% endhint %}\n\nCurly {braces} stay.\n',
    );
  });

  it('of a book show the files that they include, and tell of the others', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'book.toml': '[book]\ntitle = "B"\n',
      'src/SUMMARY.md': '# Summary\n\n- [One](parts/one.md)\n',
      'src/parts/one.md':
        '# One\n\n<Listing number="1" caption="Said">\n\n```rust\n{{#rustdoc_include ../../listings/a.rs:here}}\n```\n\n</Listing>\n\n' +
        '```toml\n{{#include b.toml:1:2}}\n```\n\n```\n{{#include gone.txt}}\n```\n\n{{#include b.toml}}\n',
      'src/parts/b.toml': 'a = 1\nb = 2\nc = 3\n',
      'listings/a.rs': 'no\n// ANCHOR: here\nlet a;\n// ANCHOR_END: here\n',
      'listings/raw.bin': new Uint8Array([255, 254]),
      'src/parts/named.toml': 'a = 1\n',
      'src/parts/two.md': 'Not listed\n\n`{{#include named.toml}}`\n',
    });
    expect(await markdownAt(space, 'one')).toBe(
      '# One\n\n```rust\nlet a;\n```\n\nListing 1: Said\n\n```toml\na = 1\nb = 2\n```\n\n' +
        '```\n{{#include gone.txt}}\n```\n\n{{#include b.toml}}\n',
    );
    expect(done.report.warnings.map(({ kind, path, target }) => `${kind} ${path} ${target ?? ''}`)).toEqual([
      'outside_root book.toml src',
      'unlisted_page parts/two.md ',
      'left_out parts/one.md {{#include}} (2)',
      'unused_file parts/named.toml ',
    ]);
  });

  it('keep the pictures of their titles as their first blocks, which is told', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'a.md': '# ![Logo](logo.png) Product\n\nText.\n',
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    });
    const { body } = await rig.send('GET', `/spaces/${space}/content/path/a?format=markdown`);
    expect(body['title']).toBe('Logo Product');
    expect(body['markdown']).toMatch(/^# Logo Product\n\n<figure><img src="[^"]+" alt="Logo"[^]*Text\.\n$/);
    expect(done.report.warnings).toEqual([{ kind: 'title_picture', path: 'a.md' }]);
  });

  it('that are drafts are left out, those that are not listed are hidden, and both are told', async () => {
    const space = await emptySpace(rig);
    const files = {
      'a.md': '---\ndraft: true\n---\n\n# A\n\nSecret draftword.\n',
      'b.md': '---\npublished: false\n---\n\n# B\n',
      'c.md': '---\nunlisted: true\ntitle: C\n---\n\nSee [a](a.md).\n',
      'd.md': '+++\ndraft = true\n+++\n\n# D\n',
      'e/README.md': '---\ndraft: true\ntitle: The folder\n---\n\nSecret draftword.\n',
      'e/f.md': '---\ndraft: false\npublished: true\n---\n\n# F\n',
      'g/index.md': '---\ndraft: true\n---\n\n# G\n',
    };
    const done = await imported(rig, space, files, { mode: 'replace' });
    expect(done.report.warnings.map(({ kind, path, target }) => `${kind} ${path} ${target ?? ''}`)).toEqual([
      'draft a.md draft',
      'draft b.md published',
      'draft d.md draft',
      'draft e/README.md draft',
      'draft g/index.md draft',
      'link c.md a.md',
      'draft c.md unlisted',
    ]);
    expect(done.pages.map(({ title, status }) => `${title} ${status}`)).toEqual([
      'C completed',
      'The folder completed',
      'F completed',
    ]);
    const read = async (path: string) => (await rig.send('GET', `/spaces/${space}/content/${path}`)).body;
    expect(await read('path/c')).toMatchObject({ hidden: true, noIndex: true, noRobotsIndex: true });
    expect(JSON.stringify(await read('path/the-folder'))).not.toContain('draftword');
    const again = await imported(rig, space, files, { mode: 'replace' });
    expect(again.revision).toBe(done.revision);
    const published = await imported(rig, space, { ...files, 'a.md': '# A\n' }, { mode: 'replace' });
    expect(published.pages.map(({ title }) => title)).toEqual(['A', 'C', 'The folder', 'F']);
  });

  it('that are listed as drafts leave no entry of the navigation behind, and drafts alone replace nothing', async () => {
    const space = await emptySpace(rig);
    const draft = '---\ndraft: true\n---\n\n# Draft\n';
    const summary = '* [A](a.md)\n* [Draft](draft.md)\n  * [B](b.md)\n* [Again](draft.md#x)\n';
    const files = { 'SUMMARY.md': summary, 'a.md': '# A\n', 'b.md': '# B\n', 'draft.md': draft };
    const done = await imported(rig, space, files);
    expect(done.pages.map(({ title, type }) => `${title} ${type}`)).toEqual(['A page', 'Draft folder', 'B page']);
    const refused = await imported(rig, space, { 'draft.md': draft }, { mode: 'replace' });
    expect(refused).toMatchObject({ status: 'failed', failure: { reason: 'import_empty' } });
  });

  it('that are drafts are not said to stand behind what the navigation lists', async () => {
    const draft = '---\ndraft: true\n---\n\n# Draft\n';
    const done = await imported(rig, await emptySpace(rig), {
      'docusaurus.config.js': 'module.exports = {};\n',
      'sidebars.js': "module.exports = { docs: ['a', 'listed'] };\n",
      'docs/a.md': '# A\n',
      'docs/listed.md': draft,
      'docs/draft.md': draft,
      'docs/other.md': '# Other\n',
      'docs/folder/index.md': draft,
      'docs/folder/b.md': '# B\n',
    });
    expect(done.pages.map(({ title }) => title)).toEqual(['A', 'Folder', 'B', 'Other']);
    expect(done.report.warnings.map(({ kind, path, message }) => `${kind} ${path} ${message ?? ''}`.trim())).toEqual([
      'unlisted_page other.md It stands behind the pages that are listed',
      'unlisted_page folder/index.md It stands behind the pages that are listed',
      'unlisted_page folder/b.md It stands behind the pages that are listed',
      'draft listed.md',
      'draft draft.md',
      'draft folder/index.md It has pages in it, and stays as their folder without its text',
    ]);
  });

  it('lose no heading: beside another title, beyond the length of titles, behind a badge', async () => {
    const space = await emptySpace(rig);
    const long = `Long ${'words '.repeat(60)}end`;
    const done = await imported(rig, space, {
      'a.md': '---\ntitle: Given\n---\n\n# Heading\n\nText.\n',
      'b.md': `# ${long}\n\nText.\n`,
      'c.md': '[![badge](https://example.org/b.svg)](https://example.org/)\n\n# Behind a badge\n\nText.\n',
      'd.md': `---\ntitle: "${long}"\n---\n\n# Heading\n`,
      'e.md': '---\ntitle: 1.10\n---\n\nText.\n',
      'f.md': '---\ntitle: Same\n---\n\n# Same\n\nText.\n',
    });
    expect(done.report.warnings).toEqual([]);
    expect(done.pages.map(({ title }) => title)).toEqual([
      'Given',
      'B',
      'Behind a badge',
      long.slice(0, 255),
      '1.10',
      'Same',
    ]);
    const headings = async (path: string) =>
      String(await markdownAt(space, path))
        .split('\n')
        .filter((line) => line.startsWith('#'));
    const found = [];
    for (const { path = '' } of done.pages) found.push(await headings(path.replace('.md', '')));
    expect(found).toEqual([
      ['# Given', '## Heading'],
      ['# B', `## ${long}`],
      ['# Behind a badge'],
      [`# ${long.slice(0, 255)}`, `## ${long}`, '## Heading'],
      ['# 1.10'],
      ['# Same'],
    ]);
  });

  it('link to each other by routes and by anchors as other products write them; what leads nowhere keeps its address', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'SUMMARY.md': '# Summary\n\n[Start](ch00.md)\n\n- [What](ch01-what.md)\n- [Named](named.md)\n',
      'ch00.md':
        '# Start\n\n[a](ch01-what.html#whats-new), [b](/docs/by-id), [c](/docs/next/guide/slug), [d](gone.html#x), ![e](gone.png), [f](ch01-what.md#nowhere), [g](#nothing).\n',
      'ch01-what.md': '# What\n\n## What\'s new?\n\n<a name="Here"></a>Text. [h](#here)\n',
      'named.md': '---\nid: by-id\nslug: /guide/slug\n---\n\n# Named\n',
    });
    expect(done.report.warnings).toEqual([
      { kind: 'link', path: 'ch00.md', target: 'gone.html#x' },
      { kind: 'image', path: 'ch00.md', target: 'gone.png' },
      { kind: 'anchor', path: 'ch00.md', target: 'ch01-what.md#nowhere' },
      { kind: 'anchor', path: 'ch00.md', target: '#nothing' },
    ]);
    const text = String(await markdownAt(space, done.pages[0]?.path?.replace('.md', '') ?? ''));
    expect(text).toMatch(/\[a\]\(ch01-what\.md#whats-new\), \[b\]\(named\.md\), \[c\]\(named\.md\)/);
    expect(text).toContain('d (gone.html#x), e (gone.png)');
    const stats = (await rig.send('GET', `/spaces/${space}/links?limit=1`)).body['stats'];
    expect(stats).toMatchObject({ broken: { total: 2 } });
  });

  it('of a book, and of a repository with its pages in a folder, are found there, and other files are told', async () => {
    const space = await emptySpace(rig);
    const pages = { 'SUMMARY.md': '# Summary\n\n[Preface](pre.md)\n\n- [Two](two.md)\n- [One](sub/one.md)\n' };
    const texts = { 'pre.md': '# Preface\n', 'two.md': '# Two\n\nSee [one](sub/one.md).\n', 'sub/one.md': '# One\n' };
    const below = (folder: string) =>
      Object.fromEntries(Object.entries({ ...pages, ...texts }).map(([path, text]) => [`${folder}/${path}`, text]));
    const others = { 'README.md': '# Not a page of it\n', 'theme/a.css': 'a {}' };
    const done = await imported(rig, space, { 'book.toml': '[book]\ntitle = "B"\n', ...others, ...below('src') });
    expect(done.pages.map(({ title }) => title)).toEqual(['Preface', 'Two', 'One']);
    const told = { kind: 'outside_root', message: '2 files, of which 1 could be pages: README.md, theme/a.css' };
    expect(done.report.warnings).toEqual([{ ...told, path: 'book.toml', target: 'src' }]);
    expect(await markdownAt(space, 'two')).toBe('# Two\n\nSee [one](one.md).\n');
    const again = await imported(
      rig,
      space,
      { '.gitbook.yaml': 'root: ./docs/\n', ...others, ...below('docs') },
      { mode: 'replace' },
    );
    expect(again.report.warnings).toEqual([{ ...told, path: '.gitbook.yaml', target: 'docs' }]);
    expect(again.revision).toBe(done.revision);
  });

  it('in HTML are those that the index of a space of Confluence lists, in its order, with their attachments', async () => {
    const space = await emptySpace(rig);
    const page = (title: string, main: string) =>
      `<html><body><ol id="breadcrumbs"><li><a href="index.html">Lamp</a></li></ol><h1><span id="title-text">Lamp : ${title}</span></h1>` +
      `<div id="main-content">${main}</div><div><a href="attachments/2/3.txt">a.txt</a></div></body></html>`;
    const list =
      '<ul><li><a href="B_10001.html">B</a><ul><li><a href="10002.html">A &amp; o</a></li></ul></li><li><a href="gone.html">No</a></li></ul>';
    const files = {
      'LAMP/index.html': `<html><body><div id="main-content">Lamp</div>${list}<a href="C_10003.html">C</a></body></html>`,
      'LAMP/B_10001.html': page('B', '<p>To <a href="10002.html#A-One">one</a>, <a href="gone.html">gone</a>.</p>'),
      'LAMP/10002.html': page('A &amp; o', '<h2 id="A-One">One</h2><p><a href="attachments/2/3.txt">File</a></p>'),
      'LAMP/C_10003.html': page('C', '<p>Not listed.</p>'),
      'LAMP/attachments/2/3.txt': 'text',
      'LAMP/attachments/2/4.txt': 'unused',
      'LAMP/styles/site.css': 'a {}',
    };
    const done = await imported(rig, space, files, { mode: 'replace' });
    expect(done.pages.map(({ title, path }) => `${title} ${path ?? ''}`)).toEqual([
      'B B_10001.html',
      'A & o 10002.html',
    ]);
    expect(done.report.warnings.map(({ kind, path, target }) => `${kind} ${path} ${target ?? ''}`)).toEqual([
      'unlisted_page C_10003.html ',
      'link B_10001.html gone.html',
      'unused_file attachments/2/4.txt ',
    ]);
    expect(await markdownAt(space, 'b')).toContain('To [one](a-o.md#A-One), gone (gone.html).');
    expect(await markdownAt(space, 'b/a-o')).toMatch(/\[File\]\(\/files\/\w+\)/);
    expect((await imported(rig, space, files, { mode: 'replace' })).revision).toBe(done.revision);
    const other = await imported(rig, space, { 'index.html': page('Site', 'Text'), 'a.html': page('A', 'Text') });
    expect(other.report).toMatchObject({ pages: 0, warnings: [{ kind: 'unused_file' }, { kind: 'unused_file' }] });
  });

  it('of Docusaurus keep their order, labels and addresses, and what a page is called otherwise stays on it', async () => {
    const space = await emptySpace(rig);
    const files = {
      'docusaurus.config.js': 'export default {};',
      'sidebars.js':
        "export default { docs: ['b', { type: 'category', label: 'All guides', link: { type: 'generated-index', description: 'How to.' }, items: [{ type: 'autogenerated', dirName: '02-guides' }] }] };",
      'docs/a.md': '# A\n',
      'docs/b.md': '---\nsidebar_label: Short\n---\n\n# Long\n\n![](/img/b.png)\n',
      'docs/02-guides/01-last.md': '---\nsidebar_position: 2\ntitle: Last\n---\n\nSee [first](/docs/guides/other).\n',
      'docs/02-guides/first.md': '---\nsidebar_position: 1\nslug: /guides/other\n---\n\n# First\n',
      'static/img/b.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    };
    const done = await imported(rig, space, files, { mode: 'replace' });
    expect(done.pages.map(({ title }) => title)).toEqual(['Short', 'All guides', 'First', 'Last', 'A']);
    expect(done.report).toMatchObject({ files: 1, warnings: [{ kind: 'unlisted_page', path: 'a.md' }] });
    expect(await markdownAt(space, 'b')).toMatch(/^# Short\n\n## Long\n\n!\[\]\(\/files\//);
    expect(await markdownAt(space, 'all-guides/last')).toContain('[first](other.md)');
    const read = async () => (await rig.send('GET', `/spaces/${space}/content/path/all-guides`)).body;
    expect(await read()).toMatchObject({ description: 'How to.' });
    expect((await imported(rig, space, files, { mode: 'replace' })).revision).toBe(done.revision);
  });

  it('of a version of Docusaurus stand as its own sidebars list them', async () => {
    const files = {
      'docusaurus.config.js': 'export default {};',
      'docs/a.md': '# Now\n',
      'versioned_docs/version-1.0/a.md': '# A\n\n![](/img/b.png)\n',
      'versioned_docs/version-1.0/b.md': '# B\n',
      'versioned_sidebars/version-1.0-sidebars.json': '{ "docs": ["b", "a"] }',
      'static/img/b.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    };
    const current = await imported(rig, await emptySpace(rig), files);
    expect(current.pages.map(({ title }) => title)).toEqual(['Now']);
    expect(current.report.warnings[0]).toMatchObject({ kind: 'outside_root', target: 'versioned_docs/version-1.0' });
    const settings = { '.gitbook.yaml': 'root: versioned_docs/version-1.0\n' };
    const version = await imported(rig, await emptySpace(rig), { ...files, ...settings });
    expect(version.pages.map(({ title }) => title)).toEqual(['B', 'A']);
    expect(version.report.files).toBe(1);
  });

  it('of MkDocs stand as its settings list them', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'mkdocs.yml': 'nav:\n  - Two: b.md\n  - a.md\nplugins: !!python/name:x.y ""\n',
      'docs/a.md': '# One\n',
      'docs/b.md': '# 2\n',
    });
    expect(done.pages.map(({ title }) => title)).toEqual(['Two', 'One']);
    expect(done.report.warnings).toEqual([]);
  });

  it('may lead to the heading that is the title of a page', async () => {
    const done = await imported(rig, await emptySpace(rig), {
      'client.md': '# Class: Client\n\n[Up](#class-client), [gone](#nothing)\n',
      'other.md': '# Other\n\n[The class](client.md#class-client)\n',
    });
    expect(done.report.warnings).toEqual([{ kind: 'anchor', path: 'client.md', target: '#nothing' }]);
  });
});
