import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { conversationEvents, type ConversationEvent } from './conversation.events.js';

/** A conversation. `version`: how often something was said, before and after deletions. */
export type ConversationState =
  | { status: 'absent'; version: number }
  | { status: 'stored'; version: number; text: string; digest: string; createdAt: string; isProcessed: boolean };

function evolve(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'ConversationIngested':
    case 'ConversationReplaced': {
      const { version, text, digest, createdAt } = event.data;
      return { status: 'stored', version, text, digest, createdAt, isProcessed: false };
    }
    case 'ConversationProcessed':
    case 'ConversationProcessingFailed':
      return state.status === 'absent' ? state : { ...state, isProcessed: true };
    case 'ConversationDeleted':
    case 'ConversationExpired':
      return { status: 'absent', version: state.version };
    default:
      return unchanged(state, event);
  }
}

/** A support conversation. Its id follows from organization, source and the id that the caller gave it. */
export const conversation = defineAggregate({
  service: 'conversations',
  entity: 'conversation',
  events: conversationEvents,
  initial: { status: 'absent', version: 0 },
  evolve,
});

/** What was said, as it is recorded. */
export interface Said {
  text: string;
  digest: string;
  parts: number;
  bytes: number;
  /** When it began, if the caller says so. */
  createdAt?: string | undefined;
}

/**
 * Takes a conversation in, or replaces it by what is said now. Nothing happens if that is the same. One of which the
 * caller does not say when it began has begun when it came first.
 */
export function ingest(
  state: ConversationState,
  { source, key, ...said }: Said & { source: string; key: string },
  now: string,
): ConversationEvent[] {
  const version = state.version + 1;
  if (state.status === 'absent') {
    const { createdAt = now } = said;
    return [{ type: 'ConversationIngested', data: { source, key, version, ...said, createdAt } }];
  }
  if (state.digest === said.digest) return [];
  const { createdAt = state.createdAt } = said;
  return [{ type: 'ConversationReplaced', data: { version, ...said, createdAt, previous: state.text } }];
}

/** Deletes a conversation because somebody says so. */
export function remove(state: ConversationState): ConversationEvent[] {
  return state.status === 'absent' ? [] : [{ type: 'ConversationDeleted', data: { text: state.text } }];
}

/** Deletes a conversation that is too old, unless it was replaced meanwhile. */
export function expire(state: ConversationState, text: string): ConversationEvent[] {
  if (state.status === 'absent' || state.text !== text) return [];
  return [{ type: 'ConversationExpired', data: { text, cause: 'retention' } }];
}

/** Deletes a conversation with its organization. */
export function removeWithOrganization(state: ConversationState): ConversationEvent[] {
  if (state.status === 'absent') return [];
  return [{ type: 'ConversationExpired', data: { text: state.text, cause: 'organization' } }];
}

/** Tells that the issues of what was said in `text` are found. Nothing happens if it says something else now. */
export function finish(
  state: ConversationState,
  { text, issues, failed }: { text: string; issues: number; failed: boolean },
): ConversationEvent[] {
  if (state.status === 'absent' || state.isProcessed || state.text !== text) return [];
  const { version } = state;
  if (failed) return [{ type: 'ConversationProcessingFailed', data: { version, reason: 'unreadable' } }];
  return [{ type: 'ConversationProcessed', data: { version, issues } }];
}
