import { maskPersonal } from '../masking/mask-personal.js';
import { shortened } from '../issues/sentences.js';
import { longestSummary, longestTitle } from '../issues/title.js';
import { mostIssues, userTexts, type ConversationText, type ExtractedIssue } from '../issues/issues-of.js';
import { clusterIcon, longestLabel, type ClusterLabel } from '../clusters/label.js';
import { languageOf } from '../words/language.js';
import { termsOf } from '../words/terms-of.js';
import { withoutMarks } from '../masking/mask-personal.js';
import { denseVector, type DenseVector } from '../weights/vector.js';

/** Models have at most as many numbers in a vector. */
export const mostDimensions = 4_096;
/** A model is sent as much of a conversation. */
const longestSent = 16_384;

/** What a server or model answered is no answer to the question. It may be asked again. */
export class UnusableAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableAnswer';
  }
}

/** What a model tells of an issue; terms and language are made of it afterwards. */
export type AnalyzedIssue = Pick<ExtractedIssue, 'title' | 'summary'>;

/** What a model is sent of a conversation. */
export interface SentConversation {
  subject: string;
  /** Of its user, in their order; none when the user says nothing. */
  messages: string[];
}

/** What a model is sent of a conversation: what users say, cleaned and masked, as data. */
export function sentToModel({ subject, parts }: ConversationText): SentConversation {
  let room = longestSent;
  const messages = userTexts(parts).map((text) => {
    const part = shortened(text, Math.max(room, 1));
    room -= part.length;
    return part;
  });
  return { subject: maskPersonal(subject ?? '').slice(0, 512), messages: messages.filter((text) => text.length > 1) };
}

/** The issues of a model's answer, `{issues: [{title, summary}]}`: masked, in one line each, and as short as others. */
export function issuesOfAnswer(answer: unknown): AnalyzedIssue[] {
  const issues = fieldOf(answer, 'issues');
  if (!Array.isArray(issues)) throw new UnusableAnswer('issues is no array');
  if (issues.length > mostIssues) throw new UnusableAnswer(`issues has more than ${mostIssues} items`);
  return issues.map((issue: unknown, index) => ({
    title: line(issue, 'title', { most: longestTitle, where: `issues.${index}` }),
    summary: line(issue, 'summary', { most: longestSummary, where: `issues.${index}` }),
  }));
}

/** The label of a model's answer, `{label, summary}`. */
export function labelOfAnswer(answer: unknown): ClusterLabel {
  return {
    label: line(answer, 'label', { most: longestLabel }),
    summary: line(answer, 'summary', { most: longestSummary }),
    icon: clusterIcon,
  };
}

/** An issue with what it is compared by. */
export function withTerms({ title, summary }: AnalyzedIssue, otherwise: string): ExtractedIssue {
  const text = withoutMarks(`${title}\n${summary}`);
  const language = languageOf(text, otherwise);
  return { title, summary, language, terms: termsOf(text, language) };
}

/** The vectors of a server's answer: as many as texts were sent, of one length, of finite numbers. */
export function vectorsOfAnswer(answer: unknown, texts: number): DenseVector[] {
  if (!Array.isArray(answer) || answer.length !== texts)
    throw new UnusableAnswer(`There is not one vector for each of ${texts} texts`);
  const vectors = answer.map((numbers: unknown) => {
    if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > mostDimensions)
      throw new UnusableAnswer(`A vector has not between 1 and ${mostDimensions} numbers`);
    if (!numbers.every(isFiniteNumber)) throw new UnusableAnswer('A vector has what is no number');
    return denseVector(numbers);
  });
  if (new Set(vectors.map(({ values }) => values.length)).size > 1)
    throw new UnusableAnswer('Vectors have different lengths');
  return vectors;
}

/** Numbers beyond this are no numbers of a 32-bit vector. */
const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 1e18;

function line(value: unknown, field: string, { most, where }: { most: number; where?: string }): string {
  const name = where === undefined ? field : `${where}.${field}`;
  const text = fieldOf(value, field);
  if (typeof text !== 'string') throw new UnusableAnswer(`${name} is no text`);
  const plain = maskPersonal(text.slice(0, longestSent))
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (plain === '') throw new UnusableAnswer(`${name} is empty`);
  return shortened(plain, most);
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) throw new UnusableAnswer('It is no object');
  return Object.entries(value).find(([name]) => name === field)?.[1];
}
