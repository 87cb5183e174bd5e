import { type GlossaryTerm } from '@scriptorium/rich-text';

/** Ids of tags that stand for terms begin here; segments have fewer tags. */
const firstTermId = 900_000;

/** A text as providers of HTML and XML get it, and what its tags of terms stand for, with entities. */
export interface MarkedText {
  readonly text: string;
  readonly terms: ReadonlyMap<number, string>;
}

/** A segment in which void tags are written as empty elements, and terms of the glossary as void tags. */
export function toMarkup(segment: string, glossary: readonly GlossaryTerm[]): MarkedText {
  const terms = new Map<number, string>();
  const pattern = patternOf(glossary);
  const targets = new Map(glossary.map(({ source, target }) => [escaped(source).toLowerCase(), target]));
  const marked = segment.replace(/<[^>]*>|[^<]+/g, (token) =>
    pattern === undefined || token.startsWith('<')
      ? token
      : token.replace(pattern, (found) => {
          const id = firstTermId + terms.size;
          const target = targets.get(found.toLowerCase()) ?? undefined;
          terms.set(id, target === undefined ? found : escaped(target));
          return `<x id="${id}"/>`;
        }),
  );
  return { text: marked.replace(/<x id="(\d+)"\/>/g, '<x id="$1"></x>'), terms };
}

/** Terms as whole words, the longer ones first. */
function patternOf(glossary: readonly GlossaryTerm[]): RegExp | undefined {
  const sources = glossary
    .map(({ source }) => escaped(source.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .sort((a, b) => b.length - a.length);
  if (sources.length === 0) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}&])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", nbsp: '\u00a0' };
const TAG = /<(\/?)\s*([gx])\b(?:[^>]*?\bid\s*=\s*["']?(\d{1,6})["']?)?[^>]{0,40}>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(quot|apos|nbsp));/gi;

/** The segment that an answer in HTML or XML stands for. What is no tag of segments stays, and is refused later. */
export function fromMarkup(answer: string, { terms }: Pick<MarkedText, 'terms'>): string {
  const tags = answer.replace(TAG, (_, end: string, name: string, id: string | undefined) => {
    if (name.toLowerCase() === 'x') return end === '/' ? '' : `<x id="${id ?? ''}"/>`;
    return end === '/' ? '</g>' : `<g id="${id ?? ''}">`;
  });
  return withoutEntities(tags).replace(/<x id="(\d+)"\/>/g, (tag, id: string) => {
    const term = terms.get(Number(id));
    return term ?? tag;
  });
}

/** The segments that answers stand for, in their order; those without an answer are left out. */
export function fromAnswers(marked: readonly MarkedText[], answers: readonly (string | undefined)[]): string[] {
  return marked.flatMap((one, i) => {
    const answer = answers[i];
    return answer === undefined ? [] : [fromMarkup(answer, one)];
  });
}

function withoutEntities(text: string): string {
  return text.replace(
    ENTITY,
    (entity, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point > 0x1f && point <= 0x10ffff ? escaped(String.fromCodePoint(point)) : entity;
    },
  );
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
