import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, toMarkdown } from '@scriptorium/rich-text';
import { markdownOfHtmlPage } from './html-page.js';
import { htmlTokens, shownText } from '../html-tokens.js';

const head =
  '<html><head><title>S : T</title></head><body><ol id="breadcrumbs"><li><a href="index.html">S &amp; s</a></li></ol>';
const page = (main: string, title = 'S &amp; s : T * 1') =>
  `${head}<h1><span id="title-text">\n ${title}\n</span></h1><div id="main-content" class="wiki-content">${main}</div><div>Not of it</div></body></html>`;

/** What the reader of pages makes of it. */
const read = (html: string) => {
  const { document, title } = parseMarkdown(markdownOfHtmlPage(html), { context: 'page', dialect: 'other' });
  return { title, text: toMarkdown(document) };
};

describe('a page of Confluence', () => {
  it('has its title without the name of the space, and what stands in its main element alone', () => {
    expect(read(page('<div><p>One</p></div><div><div>Two</div></div>'))).toEqual({
      title: 'T * 1',
      text: 'One\n\nTwo\n',
    });
    expect(read(page('<p>One</p>', 'Other : T')).title).toBe('Other : T');
    expect(read('<p>No such element</p>').text).toBe('');
  });

  it('keeps code with its language and blank lines, also in lists', () => {
    const code = (text: string) =>
      `<div class="code panel"><div class="codeHeader panelHeader"><b>a.sh</b></div><div class="codeContent"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">${text}</pre></div></div>`;
    expect(read(page(code('a &lt;b&gt;\n\n  c'))).text).toBe('**a.sh**\n\n```bash\na <b>\n\n  c\n```\n');
    expect(read(page(`<ul><li><p>One</p>${code('a\n\nb')}</li><li>Two</li></ul>`)).text).toMatch(
      /^\* One\n\n {2}\*\*a\.sh\*\*\n\n {2}```bash\n {2}a\n\n {2}b\n {2}```\n\n?\* Two\n$/,
    );
  });

  it.each([
    ['information', 'info'],
    ['note', 'warning'],
    ['tip', 'success'],
    ['warning', 'danger'],
  ])('has panels of the kind %s as hints', (kind, style) => {
    const panel = `<div class="confluence-information-macro confluence-information-macro-${kind}"><p class="title">Mind</p><span class="aui-icon aui-icon-small"></span><div class="confluence-information-macro-body"><p>This.</p></div></div><p>After</p>`;
    expect(read(page(panel)).text).toBe(`{% hint style="${style}" %}\n**Mind**\n\nThis.\n{% endhint %}\n\nAfter\n`);
  });

  it('has tasks, and what opens on a click, but no menu of headings, script or picture of the export', () => {
    const html =
      '<style>.a { }</style><div class="toc-macro"><div><ul><li>Menu</li></ul></div></div><script>if (a < b) {}</script>' +
      '<ul class="inline-task-list"><li class="checked"><span>Done</span></li><li><span>Open</span></li></ul><!-- no -->' +
      '<div class="expand-container"><div class="expand-control"><span><img src="images/icons/grey.png"/></span><span>More</span></div><div class="expand-content"><p>Inside <img class="emoticon" alt="(tick)" src="x.png"></p></div></div>';
    expect(read(page(html)).text).toBe(
      '* [x] Done\n* [ ] Open\n\n<details>\n\n<summary>More</summary>\n\nInside (tick)\n\n</details>\n',
    );
  });
});

describe('the tokens of HTML', () => {
  it('are read in time that grows with the length of the text, whatever it is', () => {
    for (const part of ['<a "', "<a '", '<!--', '<a b=', '<pre', '&#'])
      expect([...htmlTokens(part.repeat(100_000))].length).toBeGreaterThanOrEqual(0);
    expect(markdownOfHtmlPage(`<div id="main-content">${'<div>'.repeat(100_000)}`)).toBe('\n');
  });

  it('show characters that are written as references', () => {
    expect(shownText(' A &amp; o &#1078;\n&#x27; &unknown; &#0; ')).toBe("A & o ж ' &unknown; &#0;");
  });
});
