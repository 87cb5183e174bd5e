/** A tag as JSX has it. Of its attributes those are kept that are texts or set. */
export type JsxTag = {
  name: string;
  isClosing: boolean;
  isSelfClosing: boolean;
  attributes: ReadonlyMap<string, string>;
  /** True where an attribute is no text, or has a name that HTML does not have. */
  isForeign: boolean;
  end: number;
};

/** Where the braces end that are opened at a place. */
export type Closings = ReadonlyMap<number, number>;
type Attribute = { name: string; value: string | undefined; isForeign: boolean; end: number };

const START = /<(\/?)([A-Za-z][\w.-]*|(?=>))/y;
const NAME = /\s+([A-Za-z_:@#][\w:.@-]*)/y;
const VALUE = /\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'={}<>`]+)|(?=\{))/y;
const SPREAD = /\s*(?=\{)/y;
const END = /\s*(\/?)>/y;
const MAX_ATTRIBUTES = 100;

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** The tag that begins at a place, or null. */
export function jsxTag(source: string, at: number, closings: Closings): JsxTag | null {
  const start = match(START, source, at);
  if (!start) return null;
  const [opening, slash, name = ''] = start;
  const attributes = new Map<string, string>();
  let isForeign = false;
  let end = at + opening.length;
  for (let count = 0; count < MAX_ATTRIBUTES; count++) {
    const found = attributeAt(source, end, closings);
    if (!found) break;
    if (found.name !== '' && found.value !== undefined && !attributes.has(found.name))
      attributes.set(found.name, found.value);
    isForeign ||= found.isForeign;
    end = found.end;
  }
  const closing = match(END, source, end);
  if (!closing) return null;
  const [ending, isSelf] = closing;
  return {
    name,
    isClosing: slash === '/',
    isSelfClosing: isSelf === '/',
    attributes,
    isForeign,
    end: end + ending.length,
  };
}

function attributeAt(source: string, at: number, closings: Closings): Attribute | null {
  const [named = '', name = ''] = match(NAME, source, at) ?? [];
  const behind = at + named.length;
  const found = match(name === '' ? SPREAD : VALUE, source, behind);
  if (!found) return name === '' ? null : { name, value: 'true', isForeign: isForeignName(name), end: behind };
  const [written, double, single, bare] = found;
  const end = behind + written.length;
  const text = double ?? single ?? bare;
  if (text !== undefined) return { name, value: text, isForeign: isForeignName(name), end };
  const close = closings.get(end);
  return close === undefined
    ? null
    : { name, value: literal(source.slice(end + 1, close)), isForeign: true, end: close + 1 };
}

const isForeignName = (name: string): boolean => /^className$|[:@#]/.test(name);

/** What an expression is that is a text, a number or a truth value and nothing else. */
export function literal(expression: string): string | undefined {
  const bare = expression.trim();
  const quoted = /^(["'`])((?:(?!\1)[^\\$])*)\1$/.exec(bare);
  if (quoted) return quoted[2];
  return /^(?:true|-?\d+(?:\.\d+)?)$/.test(bare) ? bare : undefined;
}
