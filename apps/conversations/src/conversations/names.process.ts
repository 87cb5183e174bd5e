import { base62, type Scope } from '@scriptorium/platform';

/** What names a conversation: where it comes from, and the id that the caller gave it. */
export interface ConversationName {
  organization: string;
  source: string;
  externalId: string;
}

const length = 20;

/** The id of a conversation. It is the same for the same conversation, so the key needs no reservation. */
export function conversationId({ keys }: Pick<Scope, 'keys'>, name: ConversationName): string {
  const { organization, source, externalId } = name;
  const id = base62(keys.digest('conversation', organization, source, externalId).subarray(0, 16), length);
  return /^\d+$/.test(id) ? conversationId({ keys }, { ...name, source: `${source} ` }) : id;
}

/** A keyed digest of the caller's id, by which conversations are found whatever their source. */
export function externalKey({ keys }: Pick<Scope, 'keys'>, organization: string, externalId: string): string {
  return base62(keys.digest('conversation-key', organization, externalId).subarray(0, 16), length);
}

/** A keyed digest of everything that was said. */
export function digestOf({ keys }: Pick<Scope, 'keys'>, organization: string, said: unknown): string {
  return base62(keys.digest('conversation-text', organization, JSON.stringify(said)).subarray(0, 16), length);
}
