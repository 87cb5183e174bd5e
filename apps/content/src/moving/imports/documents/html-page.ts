import { htmlTokens, type HtmlToken } from '../html-tokens.js';

type Tag = Exclude<HtmlToken, { text: string }>;

/**
 * A page that Confluence has exported as HTML, as markdown with HTML in it: its title, then what stands in its element
 * `main-content`. Code keeps its language, panels become hints, and what opens on a click stays so; menus of headings
 * are left out.
 */
export function markdownOfHtmlPage(html: string): string {
  const page: Page = {
    title: '',
    space: '',
    out: [],
    divs: [],
    nested: 0,
    dropped: 0,
    tasks: false,
    inPanelTitle: false,
    icon: false,
  };
  let reading: keyof typeof readers | undefined;
  for (const token of htmlTokens(html)) {
    const id = 'name' in token && !token.isEnd ? token.attribute('id') : '';
    if (reading !== 'main' && id === 'title-text') reading = 'title';
    else if (reading !== 'main' && id === 'breadcrumbs') reading = 'space';
    else if (reading === undefined && id === 'main-content') reading = 'main';
    else if (reading !== undefined && !readers[reading](page, token)) {
      if (reading === 'main') break;
      reading = undefined;
    }
  }
  const title = page.title.replace(/\s+/g, ' ').trim();
  const prefix = `${page.space.replace(/\s+/g, ' ').trim()} : `;
  const own = title.startsWith(prefix) ? title.slice(prefix.length) : title;
  const heading = own === '' ? '' : `# ${own.replace(/[\\`*_{}[\]#|~$]/g, '\\$&')}\n\n`;
  return `${heading}${page.out.join('').trim()}\n`;
}

interface Page {
  title: string;
  /** What the space is called: titles begin with it. */
  space: string;
  out: string[];
  /** What is written at the end of the elements `div` that are open. */
  divs: string[];
  /** Lists, tables and quotes that are open: a blank line would end them. */
  nested: number;
  /** Elements `div` that are open within one that is left out, with it. */
  dropped: number;
  /** Items of the list are tasks. */
  tasks: boolean;
  /** The paragraph that is open is the title of a panel. */
  inPanelTitle: boolean;
  /** The element that is open is a sign. */
  icon: boolean;
  /** The text of a block of code that is open. */
  code?: { language: string; text: string } | undefined;
}

/** Each takes a token; false at the end of what it reads. */
const readers = {
  title(page: Page, token: HtmlToken): boolean {
    if ('text' in token) page.title += token.text;
    return 'text' in token || !(token.isEnd && token.name === 'span');
  },
  /** The first link above a page leads to its space. */
  space(page: Page, token: HtmlToken): boolean {
    if ('text' in token) page.space += token.text;
    return 'text' in token || !(token.isEnd && /^(a|ol)$/.test(token.name));
  },
  main(page: Page, token: HtmlToken): boolean {
    if ('text' in token) addText(page, token.text);
    else if (token.name === 'div') return addDiv(page, token);
    else if (page.dropped === 0) addTag(page, token);
    return true;
  },
};

function addText(page: Page, text: string): void {
  if (page.dropped > 0) return;
  if (page.code === undefined) page.out.push(text.replace(/\s+/g, ' '));
  else page.code.text += text;
}

const hints: Readonly<Record<string, string>> = {
  information: 'info',
  note: 'warning',
  tip: 'success',
  warning: 'danger',
};

function addDiv(page: Page, { isEnd, attribute }: Tag): boolean {
  if (page.dropped > 0) {
    page.dropped += isEnd ? -1 : 1;
    return true;
  }
  if (isEnd) {
    const end = page.divs.pop();
    if (end !== undefined) page.out.push(end);
    return end !== undefined;
  }
  const kind = attribute('class');
  if (/\btoc-macro\b/.test(kind)) {
    page.dropped = 1;
    return true;
  }
  const [begin, end] = page.nested > 0 ? ['', ''] : aroundDiv(kind);
  page.out.push(begin);
  page.divs.push(end);
  return true;
}

/** What an element `div` becomes: most only say how something looks. */
function aroundDiv(kind: string): [begin: string, end: string] {
  const [, panel = ''] = /\bconfluence-information-macro-(information|note|tip|warning)\b/.exec(kind) ?? [];
  const style = hints[panel];
  if (style !== undefined) return [`\n\n{% hint style="${style}" %}\n\n`, '\n\n{% endhint %}\n\n'];
  if (/\bexpand-container\b/.test(kind)) return ['\n\n<details>', '\n\n</details>\n\n'];
  if (/\bexpand-control\b/.test(kind)) return ['<summary>', '</summary>\n\n'];
  return /\bcodeHeader\b/.test(kind) ? ['\n\n<p>', '</p>\n\n'] : ['\n\n', '\n\n'];
}

function addTag(page: Page, tag: Tag): void {
  const { name, isEnd, source, attribute } = tag;
  if (name === 'pre') return addCode(page, tag);
  if (page.code !== undefined) return;
  if (/^(ul|ol|table|blockquote)$/.test(name)) page.nested = Math.max(0, page.nested + (isEnd ? -1 : 1));
  if (name === 'ul') page.tasks = !isEnd && attribute('class').includes('inline-task-list');
  if (name === 'img') return addPicture(page, tag);
  if (isIcon(page, tag)) return;
  if (name === 'p') return addParagraph(page, tag);
  page.out.push(source);
  if (name === 'li' && !isEnd && page.tasks)
    page.out.push(`<input type="checkbox"${attribute('class') === 'checked' ? ' checked' : ''}> `);
}

/** The title of a panel is bold. */
function addParagraph(page: Page, { isEnd, source, attribute }: Tag): void {
  const isTitle = !isEnd && attribute('class') === 'title';
  page.out.push(isEnd && page.inPanelTitle ? '</strong></p>' : source, isTitle ? '<strong>' : '');
  page.inPanelTitle = isTitle;
}

/** Signs in front of panels, which are empty elements. */
function isIcon(page: Page, { name, isEnd, attribute }: Tag): boolean {
  if (name !== 'span') return false;
  const isEndOfIcon = isEnd && page.icon;
  page.icon = !isEnd && /\baui-icon\b/.test(attribute('class'));
  return page.icon || isEndOfIcon;
}

/** Line ends are written as what stands for them: a blank line would end the element around the code. */
function addCode(page: Page, { isEnd, attribute }: Tag): void {
  if (!isEnd) {
    const [, language = ''] = /\bbrush:\s*([\w#+-]+)/.exec(attribute('data-syntaxhighlighter-params')) ?? [];
    page.code = { language, text: '' };
  } else if (page.code !== undefined) {
    const { language, text } = page.code;
    const lines = text.replace(/^\r?\n/, '').replace(/\r?\n/g, '&#10;');
    const around = page.nested > 0 ? '' : '\n\n';
    page.out.push(`${around}<pre><code class="language-${language}">${lines}</code></pre>${around}`);
    page.code = undefined;
  }
}

/** Signs of a text are written as texts; pictures of the export itself, such as arrows, are left out. */
function addPicture({ out }: Page, { attribute }: Tag): void {
  const src = attribute('src');
  if (attribute('class').includes('emoticon')) out.push(attribute('data-emoji-fallback') || attribute('alt'));
  else if (!src.startsWith('images/icons/')) {
    const alt = attribute('alt') || attribute('data-linked-resource-default-alias');
    out.push(`<img src="${quoted(src)}" alt="${quoted(alt)}">`);
  }
}

/** A value as it stands within double quotes. */
function quoted(value: string): string {
  return value.replaceAll('"', '&quot;');
}
