import type { ConversationInput, ConversationPart } from '@scriptorium/contracts';
import { answerPart, type TextPart, type TextPlace } from '../texts/index.js';
import type { ConversationState } from './conversation.js';

/** The part of what was said that lists show. */
export interface ConversationHead {
  externalId: string;
  subject?: string | undefined;
  url?: string | undefined;
}

/** The rest of it. */
export interface ConversationBody {
  parts: ConversationPart[];
  attributes: Record<string, string>;
}

/** The two texts of a conversation. */
export function textsOf(
  place: TextPlace,
  { id: externalId, subject, parts, metadata = {} }: ConversationInput,
): [TextPart & { value: ConversationHead }, TextPart & { value: ConversationBody }] {
  const { url, attributes = {} } = metadata;
  return [
    { ...headOf(place), value: { externalId, subject, url } },
    { ...bodyOf(place), value: { parts, attributes } },
  ];
}

export function headOf(place: TextPlace): TextPart {
  return { place, part: 'head' };
}

export function bodyOf(place: TextPlace): TextPart {
  return { place, part: 'body' };
}

/** Whether a conversation needs a part of a text. What a model said of it counts until its issues are found. */
export function namesText(state: ConversationState, { place: { text }, part }: TextPart): boolean {
  if (state.status !== 'stored' || state.text !== text) return false;
  return part !== answerPart || !state.isProcessed;
}
