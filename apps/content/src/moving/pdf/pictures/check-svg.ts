const largest = 2 * 1024 * 1024;
const mostElements = 20_000;
/** Elements that a picture has when each `use` is replaced by what it names. */
const mostDrawn = 100_000;

/** What runs, what loads, and what makes texts longer than they are. */
const active =
  /<\s*(?:script|foreignobject|handler|iframe|audio|video|animate|set)\b|<!entity|\son[a-z]+\s*=|@import|javascript:/i;
const address = /\b(?:xlink:)?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const styleAddress = /url\(\s*["']?([^"')]*)/gi;

/**
 * An SVG without links; `undefined` for what is none, and for one that runs or loads something, or is made to take
 * long.
 */
export function checkSvg(bytes: Buffer): Buffer | undefined {
  if (bytes.length > largest) return undefined;
  const text = bytes.toString('utf8');
  if (
    !/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!doctype\s[^[>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(
      text.replace(/^\ufeff/, ''),
    )
  )
    return undefined;
  if (active.test(text) || !/<\/svg\s*>\s*$/.test(text)) return undefined;
  // A link is only where a click would lead: the picture is the same without it.
  const clean = text.replaceAll(/(<\s*a\b[^>]*?)\s(?:xlink:)?href\s*=\s*(?:"[^"]*"|'[^']*')/gi, '$1');
  const addresses = [...clean.matchAll(address), ...clean.matchAll(styleAddress)];
  if (addresses.some(([, first, second]) => !isInside(first ?? second ?? ''))) return undefined;
  return isSmall(clean) ? Buffer.from(clean) : undefined;
}

/** A part of the same picture, or a picture that is in it. */
function isInside(target: string): boolean {
  return /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i.test(target);
}

interface Group {
  /** Elements in it. */
  own: number;
  uses: string[];
}

const tagForm = /<(\/?)([a-z][\w:.-]*)((?:"[^"]*"|'[^']*'|[^'">])*?)(\/?)>/gi;
const deepest = 200;

/** Whether it stays small when what it repeats is drawn. */
function isSmall(text: string): boolean {
  const groups = new Map<string, Group>();
  const root: Group = { own: 0, uses: [] };
  /** Around the present place, from the outside in: the groups that count what stands there. */
  const open: Group[][] = [[root]];
  let count = 0;
  for (const [, closing, name = '', rest = '', end] of text.matchAll(tagForm)) {
    if (closing === '/') {
      if (open.length > 1) open.pop();
      continue;
    }
    count += 1;
    const inside = withElement(groups, open.at(-1) ?? [root], name, rest);
    if (end !== '/') open.push(inside);
    if (count > mostElements || open.length > deepest) return false;
  }
  return drawnIn(root, groups) <= mostDrawn;
}

/** Counts an element; the groups that count what is in it. */
function withElement(groups: Map<string, Group>, around: Group[], name: string, rest: string): Group[] {
  const id = /\bid\s*=\s*["']([^"']*)/i.exec(rest)?.[1];
  const own: Group = { own: 0, uses: [] };
  if (id !== undefined && !groups.has(id)) groups.set(id, own);
  const inside = id === undefined ? around : [...around, own];
  const named = /^(?:\w+:)?use$/i.test(name) ? /href\s*=\s*["']#([^"']*)/i.exec(rest)?.[1] : undefined;
  for (const group of inside) {
    group.own += 1;
    if (named !== undefined) group.uses.push(named);
  }
  return inside;
}

function drawnIn(root: Group, groups: ReadonlyMap<string, Group>): number {
  const known = new Map<Group, number>();
  const sizeOf = (group: Group, depth: number): number => {
    const found = known.get(group);
    if (found !== undefined) return found;
    if (depth > 50) return Infinity;
    // What contains itself is drawn without end.
    known.set(group, Infinity);
    let size = group.own;
    for (const id of group.uses) {
      const used = groups.get(id);
      if (used !== undefined) size += sizeOf(used, depth + 1);
      if (size > mostDrawn) break;
    }
    known.set(group, size);
    return size;
  };
  return sizeOf(root, 0);
}
