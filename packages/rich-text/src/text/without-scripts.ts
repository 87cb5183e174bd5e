type Kind = 'code' | 'begin' | 'end';

/** What begins or ends a script, a style, or code in markdown. */
interface Sign {
  kind: Kind;
  /** The name of the element, or the ticks of the code: what its end has, too. */
  of: string;
  start: number;
  end: number;
}

const signs = /`+|~{3,}|<(script|style)(?=[\s/>])|<\/(script|style)(?=[\s/>])[^>]{0,200}>/giu;

/**
 * Markup without its scripts and styles, which nobody reads. Those in code of markdown stay: somebody shows them. One
 * without an end stays, too, because people write about tags.
 */
export function withoutScripts(text: string): string {
  if (!/<(?:script|style)[\s/>]/i.test(text)) return text;
  const all = signsOf(text);
  const ends = endsOf(all);
  let kept = '';
  let last = 0;
  for (let index = 0; index < all.length; index += 1) {
    const sign = all[index];
    const end = ends[index];
    if (sign === undefined || end === undefined) continue;
    if (sign.kind === 'begin') {
      kept += `${text.slice(last, sign.start)} `;
      last = all[end]?.end ?? last;
    }
    index = end;
  }
  return kept + text.slice(last);
}

function signsOf(text: string): Sign[] {
  return [...text.matchAll(signs)].map(({ 0: found, 1: begin, 2: end, index: start }) => ({
    kind: begin !== undefined ? 'begin' : end !== undefined ? 'end' : 'code',
    of: (begin ?? end ?? found).toLowerCase(),
    start,
    end: start + found.length,
  }));
}

/** The next sign that ends what begins with each; none for an end, and for what has none. */
function endsOf(all: readonly Sign[]): (number | undefined)[] {
  const next = new Map<string, number>();
  const ends: (number | undefined)[] = [];
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const { kind, of } = all[index] ?? { kind: 'end', of: '' };
    ends[index] = kind === 'end' ? undefined : next.get(of);
    if (kind !== 'begin') next.set(of, index);
  }
  return ends;
}
