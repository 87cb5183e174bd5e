import { describe, expect, it } from '@jest/globals';
import { orderedPages as ordered } from '../../../test/ordered-pages.js';

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

  it('of another folder leave a section the first file of its own', () => {
    const nav = [
      'nav:',
      '  - Guide:',
      '    - Setup: [guide/setup/install.md, about.md]',
      '    - Use: [Overview: guide/use/index.md, guide/use/lamp.md, z/y.md]',
      '    - Both: [Here: guide/here/index.md, There: guide/there/index.md]',
    ].join('\n');
    const names = ['setup/index', 'setup/install', 'use/index', 'use/lamp', 'here/index', 'there/index'];
    const files = names.map((name) => [`docs/guide/${name}.md`, ''] as const);
    expect(
      ordered({ 'mkdocs.yml': nav, 'docs/about.md': '', 'docs/z/y.md': '', ...Object.fromEntries(files) }),
    ).toMatchObject({
      pages: [
        'group Guide',
        '  Setup ! (guide/setup/index.md)',
        '    Install (guide/setup/install.md)',
        '    About (about.md)',
        '  Use ! (guide/use/index.md)',
        '    Lamp (guide/use/lamp.md)',
        '    Y (z/y.md)',
        '  Both',
        '    Here ! (guide/here/index.md)',
        '    There ! (guide/there/index.md)',
      ],
      warnings: [],
    });
  });

  it('that `nav` does not list stand in a section that is called as their folder', () => {
    const nav = [
      'nav:',
      '  - How to use:',
      '    - Small: [how-to-use/a.md, how-to-use/deep/one.md]',
      '    - Large: [how-to-use/b.md, how-to-use/deep/two.md]',
      '    - Deep: [z/y.md]',
    ].join('\n');
    const names = ['a', 'b', 'index', 'new', 'deep/one', 'deep/two', 'deep/three', 'other/deep/four'];
    const files = names.map((name) => [`docs/how-to-use/${name}.md`, ''] as const);
    expect(ordered({ 'mkdocs.yml': nav, 'docs/z/y.md': '', ...Object.fromEntries(files) }).pages).toEqual([
      'group How to use',
      '  Small',
      '    A (how-to-use/a.md)',
      '    One (how-to-use/deep/one.md)',
      '  Large',
      '    B (how-to-use/b.md)',
      '    Two (how-to-use/deep/two.md)',
      '  Deep',
      '    Y (z/y.md)',
      '    Three (how-to-use/deep/three.md)',
      '  Index (how-to-use/index.md)',
      '  New (how-to-use/new.md)',
      '  Other',
      '    Deep',
      '      Four (how-to-use/other/deep/four.md)',
    ]);
  });

  it('stand in the folder that `docs_dir` names; without `nav` the first file, then files, then folders', () => {
    const paths = [
      'a/z.md',
      'a/README.md',
      'b.md',
      'b-2.md',
      'b-10.md',
      'c.md',
      'c/d.md',
      'a/e/f.md',
      'index.md',
      'Z.md',
    ];
    const files = paths.map((path) => [`text/pages/${path}`, ''] as const);
    expect(ordered({ 'mkdocs.yaml': 'docs_dir: text/pages\n', ...Object.fromEntries(files) })).toMatchObject({
      pages: [
        'Index (index.md)',
        'Z (Z.md)',
        'B 10 (b-10.md)',
        'B 2 (b-2.md)',
        'B (b.md)',
        'C (c.md)',
        '  D (c/d.md)',
        'A (a/README.md)',
        '  Z (a/z.md)',
        '  E',
        '    F (a/e/f.md)',
      ],
      warnings: [],
    });
  });

  it('stand by their names where `mkdocs.yml` cannot be read, which a warning says with the line', () => {
    const unreadable = ordered({ ...docs, 'mkdocs.yml': 'site_name: Lamp\nnav:\n  - Home: a: index.md\n' });
    expect(unreadable.pages.slice(0, 2)).toEqual(['Index (index.md)', 'About (about.md)']);
    expect(unreadable.warnings).toEqual(['unreadable mkdocs.yml']);
    expect(unreadable.messages).toEqual([
      'It is no YAML: Nested mappings are not allowed in compact mappings at line 3, column 11; pages stand in the order of their names',
    ]);
    const elsewhere = ordered({ 'mkdocs.yml': '- a', 'b.md': '', 'a.md': '', '.pages': 'order: desc' });
    expect(elsewhere.pages).toEqual(['B (b.md)', 'A (a.md)']);
    expect(elsewhere.messages).toEqual([
      'It is no map of YAML; pages stand in the order of files .pages and of their names',
    ]);
  });

  it('stand as the last of several keys `nav` says, as in MkDocs', () => {
    const { pages, warnings } = ordered({ ...docs, 'mkdocs.yml': 'nav: [about.md]\nnav: [z/y.md, about.md]\n' });
    expect(pages.slice(0, 2)).toEqual(['Y (z/y.md)', 'About (about.md)']);
    expect(warnings).not.toContain('unreadable mkdocs.yml');
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
