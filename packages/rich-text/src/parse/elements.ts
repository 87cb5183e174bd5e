import { BLOCK_ELEMENTS, BOUNDARY, mdText, names, PHRASING, stringOf, type Md } from '../syntax/md.js';
import { htmlTokens, type HtmlToken } from './html-tokens.js';

export const VOID_ELEMENTS = names('area base br col embed hr img input link meta param source track wbr');
const INLINE_ELEMENTS = names(
  'a abbr acronym area b base bdi bdo big br button canvas cite code col data datalist del dfn em embed font head i img input ins kbd label link map mark math meta meter ' +
    'noscript object output param picture progress q rp rt ruby s samp small source span strike strong sub sup svg time track tt u var wbr',
);
const MAX_DEPTH = 60;

/** Open elements that end when the named one begins, and the elements that keep them from doing so. */
const IMPLIED: { [name: string]: { ends: ReadonlySet<string>; within: ReadonlySet<string> } } = {
  li: { ends: names('li p'), within: names('ul ol menu') },
  td: { ends: names('td th p'), within: names('table') },
  th: { ends: names('td th p'), within: names('table') },
  tr: { ends: names('tr td th p'), within: names('table') },
  tbody: { ends: names('thead tbody tr td th p'), within: names('table') },
  option: { ends: names('option'), within: names('select') },
};

const isKnown = (name: string): boolean => BLOCK_ELEMENTS.has(name) || INLINE_ELEMENTS.has(name);

/** True for a box to tick, which an `<input>` is that names no other type. */
export function isBox({ name, attributes = {} }: Md): boolean {
  return name === 'input' && (attributes['type'] ?? 'checkbox').toLowerCase() === 'checkbox';
}

export const isChecked = (box: Md): boolean => 'checked' in (box.attributes ?? {});

/** All text under nodes on one line, blocks and breaks in it apart by a space. Pictures say what stands for them. */
export function lineOf(nodes: Md[]): string {
  return stringOf({ type: 'line', children: nested(nodes) })
    .replace(/\s+/g, ' ')
    .trim();
}

function nested(nodes: Md[]): Md[] {
  return nestElements(nodes, true).flatMap((node) =>
    isNamedIcon(node) ? [] : [node.children ? { ...node, children: nested(node.children) } : node],
  );
}

/** Classes that say which drawing of an icon is meant. */
const ICON_STYLES = names('fa-solid fa-regular fa-brands fa-light fa-thin fa-duotone fa-sharp');

/** The icon that an `<i class="fa-…">` is. */
export function iconOf({ name, attributes = {} }: Md): string | undefined {
  if (name !== 'i') return undefined;
  const classes = (attributes['class'] ?? '').split(/\s+/).filter((each) => each.startsWith('fa-'));
  return (classes.find((each) => !ICON_STYLES.has(each)) ?? classes[0])?.slice(3);
}

/**
 * True for an icon as it is written, with its name inside as a shortcode, which may be one of an emoji. Only what
 * stands directly inside is asked: whoever asks goes on to what stands further inside, and would do so twice at every
 * level.
 */
export function isNamedIcon(node: Md): boolean {
  const children = (node.children ?? []).filter((child) => child.type !== 'emoji');
  if (iconOf(node) === undefined || children.some((child) => child.type !== 'text')) return false;
  return /^(:[^]*:)?$/.test(children.map(stringOf).join('').trim());
}

/**
 * Siblings in which every pair of HTML tags encloses what stands between them, markdown included, as an `element` node.
 * Names that HTML does not have stay text (`List<String>`); unmatched closing tags of known elements go.
 */
export function nestElements(children: Md[], inline: boolean): Md[] {
  if (!children.some((child) => child.type === 'html')) return children;
  const builder = new Builder(inline);
  const flow = !inline && !children.some((child) => PHRASING.has(child.type));
  for (const child of children) {
    if (child.type !== 'html') builder.append(child);
    else {
      for (const token of htmlTokens(child.value ?? '')) builder.take(token, child);
      if (flow) builder.append({ ...mdText(''), name: BOUNDARY });
    }
  }
  return builder.finish();
}

type Open = Md & { children: Md[] };

class Builder {
  private readonly root: Open = { type: 'root', children: [] };
  private readonly stack: Open[] = [this.root];

  constructor(private readonly inline: boolean) {}

  append(node: Md): void {
    this.top().children.push(node);
  }

  take(token: HtmlToken, source: Md): void {
    if (token.kind === 'text') return this.append(mdText(token.value));
    if (!isKnown(token.name)) return this.append(mdText(token.raw));
    if (token.kind === 'close') return this.close(token.name, source);
    this.open(token, source);
  }

  /** Elements still open at the end: closed in blocks; in text the tag was no tag, so it is kept as text. */
  finish(): Md[] {
    while (this.inline && this.stack.length > 1) {
      const element = this.stack.pop() as Open;
      const parent = this.top();
      const at = parent.children.lastIndexOf(element);
      // Never as arguments of a call: there may be more children than a call can have.
      parent.children = [
        ...parent.children.slice(0, at),
        mdText(element.raw ?? ''),
        ...element.children,
        ...parent.children.slice(at + 1),
      ];
    }
    return this.root.children;
  }

  private open(token: HtmlToken & { kind: 'open' }, source: Md): void {
    this.closeImplied(token.name);
    const start = source.position?.end.offset ?? 0;
    const element: Open = {
      type: 'element',
      name: token.name,
      attributes: token.attributes,
      raw: token.raw,
      children: [],
      ...(this.inline && { inner: { start, end: start } }),
    };
    this.append(element);
    if (!VOID_ELEMENTS.has(token.name) && !token.selfClosing && this.stack.length < MAX_DEPTH) this.stack.push(element);
  }

  private close(name: string, source: Md): void {
    const index = this.stack.findLastIndex((open) => open.name === name);
    if (index < 1) return;
    const element = this.stack[index];
    if (element?.inner) element.inner.end = source.position?.start.offset ?? element.inner.end;
    this.stack.length = index;
  }

  private closeImplied(name: string): void {
    const rule = IMPLIED[name];
    if (!rule) return;
    for (let i = this.stack.length - 1; i > 0; i--) {
      const open = this.stack[i]?.name ?? '';
      if (rule.within.has(open)) return;
      if (rule.ends.has(open)) this.stack.length = i;
    }
  }

  private top(): Open {
    return this.stack[this.stack.length - 1] ?? this.root;
  }
}
