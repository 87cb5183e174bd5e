import type { ConversationInput, ConversationPart } from '@scriptorium/contracts';
import type { TextPart, TextPlace } from '../texts/index.js';

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
