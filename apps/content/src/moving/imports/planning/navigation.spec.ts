import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../entry.js';
import { frontOf } from '../navigation/front.js';
import { projectIn } from '../navigation/project.js';
import { readNavigation } from '../navigation/read-navigation.js';
import { chosenFolder } from './chosen-folder.js';
import { outlineOfNavigation, type OutlinePage } from './outline.js';
import { readConfig } from './settings-files.js';

/** What becomes of files with these texts: pages as lines, indented by their depth, and warnings. */
function ordered(texts: Record<string, string>) {
  const entries = Object.entries(texts).map(([path, text], archive): [string, Entry] => {
    const size = Buffer.byteLength(text);
    return [path, { archive, offset: 0, name: 0, packed: size, size, crc: 0, method: 'whole' }];
  });
  const all = new Map(entries);
  const byEntry = new Map(entries.map(([path, entry]) => [entry, texts[path] ?? '']));
  const small = (files: ReadonlyMap<string, Entry>, path: string) => {
    const entry = files.get(path);
    return entry && byEntry.get(entry);
  };
  const read = (path: string) => small(all, path);
  const project = projectIn(all, read);
  const { files, warnings } = chosenFolder(all, { config: readConfig(undefined), book: undefined, project, read });
  const reader = { small, front: (entry: Entry) => frontOf(byEntry.get(entry) ?? '') };
  const navigation = readNavigation({ files, all, project, reader });
  const { path = '', entries: listed = [] } = navigation ?? {};
  const { pages, warnings: more } = outlineOfNavigation(files, path, listed);
  return {
    pages: lines(pages),
    made: pages,
    files: [...files.keys()],
    warnings: [...warnings, ...(navigation?.warnings ?? []), ...more].map(({ kind, path: at, target }) =>
      [kind, at, target].filter(Boolean).join(' '),
    ),
  };
}

function lines(pages: readonly OutlinePage[]): string[] {
  const depth = ({ parent }: OutlinePage): number => {
    const above = parent === undefined ? undefined : pages[parent];
    return above === undefined ? 0 : depth(above) + 1;
  };
  const inside = (parent?: number): OutlinePage[] =>
    pages.flatMap((page, at) => (page.parent === parent ? [page, ...inside(at)] : []));
  return inside().map((page) => {
    const { type, title, path, isNamed, slug, description } = page;
    const marks = [isNamed && '!', slug && `/${slug}`, description && `"${description}"`, path && `(${path})`];
    return ['  '.repeat(depth(page)) + (type === 'document' ? '' : `${type} `) + title, ...marks]
      .filter(Boolean)
      .join(' ');
  });
}

const front = (...given: string[]) => `---\n${given.join('\n')}\n---\n\n# Page\n`;

describe('pages of Docusaurus', () => {
  it('stand by their positions, then by their names, with the titles and links of categories', () => {
    const { pages, warnings } = ordered({
      'intro.md': front('sidebar_position: 2', "sidebar_label: 'Begin: here'"),
      'last.md': '# Last',
      'first.md': front('title: A', 'sidebar_position: 1.5'),
      'guides/_category_.json':
        '{ "label": "All guides", "position": 1, "link": { "type": "generated-index", "description": "How to." } }',
      'guides/b.md': front('sidebar_position: 1'),
      'guides/a.md': '',
      'ref/_category_.yml': 'label: Reference\nlink:\n  type: doc\n  id: start\n',
      'ref/start.md': '',
      'ref/deep/_category_.yaml': 'link: null\nposition: 1\n',
      'ref/deep/index.md': '',
      'ref/x.md': '',
      'apart/_category_.json': '{ not json',
      'apart/index.md': front('sidebar_position: 0', 'sidebar_label: Apart'),
    });
    expect(pages).toEqual([
      'Apart ! /apart (apart/index.md)',
      'All guides /guides "How to."',
      '  B (guides/b.md)',
      '  A (guides/a.md)',
      'First (first.md)',
      'Begin: here ! (intro.md)',
      'Last (last.md)',
      'Reference ! /ref (ref/start.md)',
      '  Deep /deep',
      '    Index (ref/deep/index.md)',
      '  X (ref/x.md)',
    ]);
    expect(warnings).toEqual([]);
  });

  it('lose the numbers in front of their names, which are positions, but no versions and dates', () => {
    const { pages } = ordered({
      '02-guides/_category_.json': '{}',
      '02-guides/10. Ten.md': '',
      '02-guides/9__nine.md': front('slug: /a/other'),
      '1 - intro.md': '',
      '1.2-notes.md': '',
      '2024-05-01-news.md': '',
      '3d.md': '',
    });
    expect(pages).toEqual([
      'Intro /intro (1 - intro.md)',
      'group Guides /guides',
      '  Nine /other (02-guides/9__nine.md)',
      '  Ten /Ten (02-guides/10. Ten.md)',
      '1.2 notes (1.2-notes.md)',
      '3d (3d.md)',
      '2024 05 01 news (2024-05-01-news.md)',
    ]);
  });

  const site = {
    'docusaurus.config.ts':
      "import type { Config } from '@docusaurus/types';\nconst config: Config = { title: f() };\nexport default config;\n",
    'docs/01-intro.md': '',
    'docs/guides/install.mdx': front('id: installation'),
    'docs/guides/upgrade.md': '',
    'docs/api/b.md': '',
    'docs/api/a.md': '',
    'docs/left.md': '',
    'docs/img/a.png': '',
    'static/img/b.png': '',
    'src/pages/index.md': '',
  };

  it('stand as sidebars list them that are written out, with files of the site; others come after', () => {
    const sidebars = `
      import type { SidebarsConfig } from '@docusaurus/plugin-content-docs';
      const more = ['guides/upgrade'] as const;
      // A comment.
      const sidebars: SidebarsConfig = {
        docs: [
          'intro',
          { type: 'category', label: "Guides", link: { type: 'doc', id: 'guides/installation' }, items: [...more, 'gone'] },
          { Shorthand: [{ type: 'doc', id: 'guides/upgrade', label: 'Again' }] },
          { type: 'link', label: 'Away', href: 'https://example.org/' },
          { type: 'html', value: '<hr>' },
          { type: 'category', label: 'API', description: \`All of it\`, items: [{ type: 'autogenerated', dirName: 'api' }] },
        ],
      } satisfies SidebarsConfig;
      export default sidebars;
    `;
    const { pages, files, warnings } = ordered({ ...site, 'sidebars.ts': sidebars });
    expect(pages).toEqual([
      'Intro /intro (01-intro.md)',
      'Guides ! (guides/install.mdx)',
      '  Upgrade (guides/upgrade.md)',
      'group Shorthand',
      '  link Again !',
      'link Away',
      'group API "All of it"',
      '  A (api/a.md)',
      '  B (api/b.md)',
      'Left (left.md)',
    ]);
    expect(files).toContain('img/b.png');
    expect(warnings).toEqual([
      'outside_root docusaurus.config.ts docs',
      'missing_page sidebars.ts gone',
      'unknown_entry sidebars.ts html <hr>',
      'unlisted_page left.md sidebars.ts',
    ]);
  });

  it('have a group for each of several sidebars', () => {
    const sidebars = '{ "tutorialSidebar": ["intro", "left"], "api": { "All": ["api/a"] }, "none": [] }';
    expect(ordered({ ...site, 'sidebars.json': sidebars }).pages.slice(0, 6)).toEqual([
      'group Tutorial',
      '  Intro /intro (01-intro.md)',
      '  Left (left.md)',
      'group Api',
      '  All',
      '    A (api/a.md)',
    ]);
  });

  it('stand by their folders when sidebars are computed, which is told; nothing is run', () => {
    for (const computed of [
      "module.exports = { docs: require('./more') };",
      'module.exports = { docs: [1 + 1] };',
      'export default () => ({});',
      'const a = [a]; module.exports = { docs: a };',
      'module.exports = { get docs() { return []; } };',
      'globalThis.isRun = true; module.exports = f(',
    ]) {
      const { pages, warnings } = ordered({ ...site, 'sidebars.js': computed });
      expect(pages.slice(0, 2)).toEqual(['Intro /intro (01-intro.md)', 'group Api /api']);
      expect(warnings[1]).toBe('not_supported sidebars.js');
    }
    expect('isRun' in globalThis).toBe(false);
  });

  it('are found where the settings say', () => {
    const config =
      "module.exports = { presets: [['classic', { docs: { path: '../text', sidebarPath: require.resolve('./bars.js') } }]] };";
    const { pages } = ordered({
      'site/docusaurus.config.js': config,
      'site/bars.js': 'module.exports = { a: ["b", "a"] };',
      'text/a.md': '',
      'text/b.md': '',
      'README.md': '',
    });
    expect(pages).toEqual(['B (b.md)', 'A (a.md)']);
  });
});

describe('pages of MkDocs', () => {
  const docs = {
    'docs/index.md': '',
    'docs/guide/index.md': '',
    'docs/guide/install.md': '',
    'docs/guide/new.md': '',
    'docs/about.md': '',
    'docs/z/y.md': '',
  };

  it('stand as `nav` lists them, then the others; tags of Python and of the environment say nothing', () => {
    const settings = [
      'site_name: !ENV [NAME, Lamp]',
      'nav:',
      '  - Welcome: index.md',
      '  - Guide:',
      '    - guide/index.md',
      '    - Install it: ./guide/install.md',
      '    - Deeper:',
      '      - about.md',
      '      - gone.md',
      '  - https://example.org/',
      '  - Source: https://example.org/source',
      '  - Empty:',
      'markdown_extensions:',
      '  - pymdownx.emoji:',
      '      emoji_index: !!python/name:material.extensions.emoji.twemoji',
      '      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}',
    ].join('\n');
    const { pages, warnings } = ordered({ ...docs, 'mkdocs.yml': settings });
    expect(pages).toEqual([
      'Welcome ! (index.md)',
      'Guide ! (guide/index.md)',
      '  Install it ! (guide/install.md)',
      '  Deeper',
      '    About (about.md)',
      '  New (guide/new.md)',
      'link https://example.org/',
      'link Source',
      'group Z',
      '  Y (z/y.md)',
    ]);
    expect(warnings).toEqual([
      'missing_page mkdocs.yml gone.md',
      'unlisted_page guide/new.md mkdocs.yml',
      'unlisted_page z/y.md mkdocs.yml',
    ]);
  });

  it('stand at the end of the page or group of their folder when `nav` does not list them', () => {
    const settings =
      'nav:\n  - Blog: blog/index.md\n  - How to:\n    - guide/install.md\n    - Deep: [guide/deep/a.md, about.md]\n  - News: news.md\n  - z/y.md\n';
    const { pages } = ordered({
      ...docs,
      'mkdocs.yml': settings,
      'docs/blog/index.md': '',
      'docs/blog/posts/one.md': '',
      'docs/guide/deep/a.md': '',
      'docs/guide/deep/b.md': '',
      'docs/news.md': '',
      'docs/news/old.md': '',
      'docs/z/x.md': '',
    });
    expect(pages).toEqual([
      'Blog ! (blog/index.md)',
      '  Posts',
      '    One (blog/posts/one.md)',
      'group How to',
      '  Install (guide/install.md)',
      '  Deep',
      '    A (guide/deep/a.md)',
      '    About (about.md)',
      '    B (guide/deep/b.md)',
      '  Index (guide/index.md)',
      '  New (guide/new.md)',
      'News ! (news.md)',
      '  Old (news/old.md)',
      'Y (z/y.md)',
      'Index (index.md)',
      'group Z',
      '  X (z/x.md)',
    ]);
  });

  it('are those of sections within sections, which have the text of the first file of their folder', () => {
    const nav = [
      'nav:',
      '  - Home: index.md',
      '  - Getting started:',
      '    - Installation: getting-started.md',
      '    - Changelog:',
      '      - changelog/index.md',
      '      - How to upgrade: upgrade.md',
      '    - Contributing:',
      '      - Reporting a bug: contributing/bug.md',
      '      - Asking a question: https://example.org/ask',
      '      - Overview: contributing/index.md',
      '    - FAQ:',
      '      - Sponsoring: faq/sponsoring.md',
      '      - More:',
      '        - Old: faq/more/old.md',
      '  - Setup:',
      '    - setup/index.md',
      '    - Colors: setup/colors.md',
      '    - Extensions:',
      '      - Python Markdown: setup/extensions/python.md',
      '    - Requirements: setup/requirements/',
      '  - Examples:',
      '    - Overview: examples/index.md',
      '    - Small:',
      '      - One: examples/one/index.md',
      '      - Two: examples/two/index.md',
      '  - Insiders:',
      '    - insiders/index.md',
      '    - Getting started:',
      '      - Installation: insiders/start.md',
      '      - Changelog: insiders/changelog.md',
    ].join('\n');
    const named = [...nav.matchAll(/[a-z-]+(?:\/[a-z-]+)*\.md/g)].map(([path]) => [`docs/${path}`, '']);
    const others = ['setup/extensions/README.md', 'setup/requirements/index.md', 'setup/requirements/images.md'];
    const { pages, warnings } = ordered({
      ...(Object.fromEntries(named) as Record<string, string>),
      ...Object.fromEntries(others.map((path) => [`docs/${path}`, ''])),
      'mkdocs.yml': nav,
    });
    expect(pages).toEqual([
      'Home ! (index.md)',
      'group Getting started',
      '  Installation ! (getting-started.md)',
      '  Changelog ! (changelog/index.md)',
      '    How to upgrade ! (upgrade.md)',
      '  Contributing ! (contributing/index.md)',
      '    Reporting a bug ! (contributing/bug.md)',
      '    link Asking a question',
      '  FAQ',
      '    Sponsoring ! (faq/sponsoring.md)',
      '    More',
      '      Old ! (faq/more/old.md)',
      'Setup ! (setup/index.md)',
      '  Colors ! (setup/colors.md)',
      '  Extensions ! (setup/extensions/README.md)',
      '    Python Markdown ! (setup/extensions/python.md)',
      '  Requirements ! (setup/requirements/index.md)',
      '    Images (setup/requirements/images.md)',
      'group Examples',
      '  Overview ! (examples/index.md)',
      '  Small',
      '    One ! (examples/one/index.md)',
      '    Two ! (examples/two/index.md)',
      'Insiders ! (insiders/index.md)',
      '  Getting started',
      '    Installation ! (insiders/start.md)',
      '    Changelog ! (insiders/changelog.md)',
    ]);
    expect(warnings).toEqual([]);
  });

  it('stand in the folder that `docs_dir` names, by their names without `nav`', () => {
    expect(
      ordered({ 'mkdocs.yaml': 'docs_dir: text/pages\n', 'text/pages/b.md': '', 'text/pages/a.md': '' }),
    ).toMatchObject({
      pages: ['A (a.md)', 'B (b.md)'],
      warnings: [],
    });
  });

  it('stand as files `.pages` say', () => {
    const { pages } = ordered({
      ...docs,
      'mkdocs.yml': 'site_name: Lamp\n',
      'docs/.pages': 'nav:\n  - about.md\n  - Away: https://example.org/\n  - ...\n  - Welcome: index.md\n',
      'docs/guide/.pages': 'title: The guide\norder: desc\n',
    });
    expect(pages).toEqual([
      'About (about.md)',
      'link Away',
      'The guide ! (guide/index.md)',
      '  New (guide/new.md)',
      '  Install (guide/install.md)',
      'group Z',
      '  Y (z/y.md)',
      'Welcome ! (index.md)',
    ]);
  });
});
