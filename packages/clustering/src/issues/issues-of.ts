import { maskPersonal, withoutMarks } from '../masking/mask-personal.js';
import { cosine, type TermVector } from '../weights/vector.js';
import { vectorOf, type Weights } from '../weights/weights.js';
import { languageOf } from '../words/language.js';
import { contentWords, termsOf, type Terms } from '../words/terms-of.js';
import { wordsOf } from '../words/words-of.js';
import { cleanPart } from './clean.js';
import { sentencesOf } from './sentences.js';
import { summaryOf, titleOf } from './title.js';

/** A conversation as plain text or markdown. */
export interface ConversationText {
  subject?: string;
  /** In their order. */
  parts: readonly { role: 'user' | 'assistant' | 'team-member'; text: string }[];
}

/** What a person asks for. Title and summary are masked. */
export interface ExtractedIssue {
  title: string;
  summary: string;
  language: string;
  /** What the issue is compared by: stored beside it, a vector of any weight table can be made of it. */
  terms: Terms;
}

export interface ExtractOptions {
  /** The language of the organization: that of conversations which are too short to tell. */
  language: string;
  weights: Weights;
}

/** A conversation has at most as many issues. */
export const mostIssues = 3;
/** As many parts of a user are read. */
const mostParts = 20;
/** As much of all parts of a conversation is read. */
const longestConversation = 65_536;
/** A later part that is less similar to every issue before begins another one, if it has enough content words. */
const anotherBelow = 0.15;
const leastWordsOfAnother = 4;

interface Draft {
  /** The part that began it: its title comes from there. */
  beginning: string;
  text: string;
  vector: TermVector;
}

/**
 * The issues of a conversation without a model: 0 to 3, in the order in which they came up. The first part of the user
 * that says something begins one; a later part begins another if it is about something else. Greetings, thanks and
 * single words are none.
 */
export function issuesOf({ subject, parts }: ConversationText, options: ExtractOptions): ExtractedIssue[] {
  const texts = userTexts(parts);
  const language = languageOf(texts.join('\n'), options.language);
  const begin = subjectText(subject, language);
  const drafts: Draft[] = [];
  for (const text of texts) {
    const isFirst = drafts.length === 0;
    const whole = isFirst && begin !== '' ? `${begin}\n${text}` : text;
    if (isFirst ? isIssue(whole, language) : isAnother(text, language, options.weights, drafts)) {
      drafts.push({ beginning: whole, text: whole, vector: vectorOfText(whole, language, options.weights) });
    } else if (!isFirst) addTo(drafts, text, language, options.weights);
  }
  return drafts.map((draft) => described(draft, language, options.weights));
}

/** What users say, masked: nothing personal reaches titles, terms or labels. */
export function userTexts(parts: ConversationText['parts']): string[] {
  let room = longestConversation;
  const texts: string[] = [];
  for (const { role, text } of parts) {
    if (role !== 'user' || texts.length === mostParts || room <= 0) continue;
    const own = maskPersonal(cleanPart(text.slice(0, room)));
    room -= text.length;
    if (own !== '') texts.push(own);
  }
  return texts;
}

/** A subject with content; "Re: your ticket" says nothing. */
function subjectText(subject: string | undefined, language: string): string {
  if (subject === undefined) return '';
  const plain = maskPersonal(
    subject.slice(0, 512).replace(/^(?:\s*(?:re|fwd?|aw|wg|tr|rv|sv|antw)\s*:)+/iu, ''),
  ).trim();
  return contentWords(withoutMarks(plain), language).length >= 2 ? plain.replace(/\s+/gu, ' ') : '';
}

/** One word is no issue, nor are words that say nothing. */
function isIssue(text: string, language: string): boolean {
  const plain = withoutMarks(text);
  return contentWords(plain, language).length > 0 && wordsOf(plain, language).length > 1;
}

function isAnother(text: string, language: string, weights: Weights, drafts: readonly Draft[]): boolean {
  if (drafts.length === mostIssues) return false;
  if (contentWords(withoutMarks(text), language).length < leastWordsOfAnother) return false;
  const vector = vectorOfText(text, language, weights);
  return drafts.every((draft) => cosine(draft.vector, vector) < anotherBelow);
}

/** Adds a part to the issue that it is most similar to; to the last one if it is similar to none. */
function addTo(drafts: Draft[], text: string, language: string, weights: Weights): void {
  const vector = vectorOfText(text, language, weights);
  let [index, most] = [drafts.length - 1, 0];
  for (const [at, draft] of drafts.entries()) {
    const similarity = cosine(draft.vector, vector);
    if (similarity > most) [index, most] = [at, similarity];
  }
  const { beginning = '', text: before = '' } = drafts[index] ?? {};
  const whole = `${before}\n${text}`;
  drafts[index] = { beginning, text: whole, vector: vectorOfText(whole, language, weights) };
}

function vectorOfText(text: string, language: string, weights: Weights): TermVector {
  return vectorOf(termsOf(withoutMarks(text), language), weights);
}

function described({ beginning, text }: Draft, language: string, weights: Weights): ExtractedIssue {
  return {
    title: titleOf(sentencesOf(beginning), language),
    summary: summaryOf(sentencesOf(text), language, weights),
    language,
    terms: termsOf(withoutMarks(text), language),
  };
}
