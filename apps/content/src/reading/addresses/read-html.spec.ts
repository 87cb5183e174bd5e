import { describe, expect, it } from '@jest/globals';
import { nameOf, readHtml } from './read-html.js';

describe('a page', () => {
  const url = 'https://site.example/a/b';

  it('is called what it says for links, with its icon', () => {
    const html = `<html><head><title>Plain</title>
      <meta content='Wombats &amp; others &#8212; &#x41;' property="og:title"><meta name=og:site_name content=Zoo>
      <link rel="shortcut icon" href="/i.png">`;
    expect(readHtml(html, url)).toEqual({
      type: 'link',
      title: 'Wombats & others — A',
      site: 'Zoo',
      icon: 'https://site.example/i.png',
    });
  });

  it('is called by its title, its path or its host otherwise', () => {
    expect(readHtml('<TITLE lang="en">\n One  two </TITLE>', url)).toEqual({
      type: 'link',
      title: 'One two',
      site: 'site.example',
    });
    expect(readHtml('<title> </title>', url).title).toBe('b');
    expect([
      nameOf('https://x.example/'),
      nameOf('https://x.example/%C3%BC.pdf'),
      nameOf('https://x.example/%'),
    ]).toEqual(['x.example', 'ü.pdf', '%']);
  });

  it('is not called what its comments and scripts say', () => {
    const html = `<!-- <title>Comment</title> --><script>'<meta property="og:title" content="Script">'</script>
      <STYLE><title>Style</title></STYLE><svg><title>Drawing</title></svg><title>Page</title><!-- <link rel=icon href=/no>`;
    expect(readHtml(html, url)).toEqual({ type: 'link', title: 'Page', site: 'site.example' });
  });

  it('has no icon that is no address of the web, and no longer title than fits', () => {
    const html = `<link rel=icon href="javascript:x"><title>${'x'.repeat(3_000)}</title>`;
    const read = readHtml(html, url);
    expect([read.icon, read.title.length]).toEqual([undefined, 300]);
  });

  it.each(['<meta ', '<title', '<link rel=icon ', 'x="', '&#1', ' ', '<!--', '<script>', '<svg></svg>'])(
    'is read fast whatever it repeats: %s',
    (part) => {
      const before = process.cpuUsage().user;
      readHtml(`<head>${part.repeat(100_000)}`, url);
      readHtml(`<meta ${part.repeat(600)}>`, url);
      expect(process.cpuUsage(undefined).user - before).toBeLessThan(2_000_000);
    },
  );
});
