import { holdTerms, isOverlong } from '@scriptorium/rich-text';
import type { TranslationBatch } from './provider.js';

/** Ids of tags that stand for terms begin here; segments have fewer tags. */
const firstTermId = 900_000;

/** A text as providers of HTML and XML get it, and what its tags of terms stand for, with entities. */
export interface MarkedText {
  readonly text: string;
  readonly terms: ReadonlyMap<number, string>;
}

/**
 * A segment in which void tags are written as empty elements, and terms of the glossary as void tags: those that the
 * check of the answer looks for.
 */
export function toMarkup(
  segment: string,
  { terms: glossary, from }: Pick<TranslationBatch, 'terms' | 'from'>,
): MarkedText {
  const { text, held } = holdTerms(segment, glossary, { language: from, firstId: firstTermId });
  const terms = new Map([...held].map(([id, { term, written }]) => [id, escaped(term.target ?? written)]));
  return { text: text.replace(/<x id="(\d+)"\/>/g, '<x id="$1"></x>'), terms };
}

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", nbsp: '\u00a0' };
// Every repetition is bounded, so that no answer takes long to read.
const TAG = /<(\/?)\s{0,8}([gx])\b(?:[^<>]{0,40}?\bid\s{0,8}=\s{0,8}["']?(\d{1,6})["']?)?[^<>]{0,40}>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(quot|apos|nbsp));/gi;

/**
 * The segment that an answer in HTML or XML stands for. What is no tag of segments stays, and so does an answer that is
 * by far too long: both are refused later.
 */
export function fromMarkup(answer: string, { text, terms }: MarkedText): string {
  if (isOverlong(text, answer)) return answer;
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
