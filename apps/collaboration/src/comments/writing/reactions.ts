import { emojiCode } from '@scriptorium/contracts';
import { emptyKeyed, keyedDrop, keyedEntries, keyedGet, keyedPut, type Keyed } from '@scriptorium/event-sourcing';

/** The reactions to a comment and its replies. */
export interface Reactions {
  /** Users by what they reacted to and emoji. */
  users: Keyed<readonly string[]>;
  count: number;
}

export const noReactions: Reactions = { users: emptyKeyed, count: 0 };

/** One emoji on a comment (`reply`: null), or on one of its replies. */
export interface Reaction {
  reply: string | null;
  emoji: string;
}

function keyOf({ reply, emoji }: Reaction): string {
  return `${reply ?? ''}/${emoji}`;
}

function usersOf({ users }: Reactions, reaction: Reaction): readonly string[] {
  return keyedGet(users, keyOf(reaction)) ?? [];
}

export function withReaction(reactions: Reactions, reaction: Reaction, user: string): Reactions {
  const present = usersOf(reactions, reaction);
  if (present.includes(user)) return reactions;
  return { users: keyedPut(reactions.users, keyOf(reaction), [...present, user]), count: reactions.count + 1 };
}

export function withoutReaction(reactions: Reactions, reaction: Reaction, user: string): Reactions {
  const present = usersOf(reactions, reaction);
  if (!present.includes(user)) return reactions;
  const rest = present.filter((other) => other !== user);
  const key = keyOf(reaction);
  const users = rest.length === 0 ? keyedDrop(reactions.users, key) : keyedPut(reactions.users, key, rest);
  return { users, count: reactions.count - 1 };
}

/** The reactions without those to a reply. */
export function withoutReply(reactions: Reactions, reply: string): Reactions {
  return keyedEntries(reactions.users)
    .filter(([key]) => key.startsWith(`${reply}/`))
    .reduce(
      ({ users, count }, [key, gone]) => ({ users: keyedDrop(users, key), count: count - gone.length }),
      reactions,
    );
}

/** The reactions that somebody adds and removes. */
export interface ReactionChange {
  addedReactions?: readonly string[] | undefined;
  removedReactions?: readonly string[] | undefined;
}

/**
 * What a change comes to, as code points: each emoji once, those that are removed not added, and nothing that is so
 * already.
 */
export function reactionsChanged(
  reactions: Reactions,
  { reply, user }: { reply: string | null; user: string },
  { addedReactions = [], removedReactions = [] }: ReactionChange,
): { added: string[]; removed: string[] } {
  const has = (emoji: string): boolean => usersOf(reactions, { reply, emoji }).includes(user);
  const gone = codesOf(removedReactions);
  return {
    added: [...codesOf(addedReactions)].filter((emoji) => !gone.has(emoji) && !has(emoji)),
    removed: [...gone].filter(has),
  };
}

function codesOf(emojis: readonly string[]): Set<string> {
  return new Set(emojis.flatMap((emoji) => emojiCode(emoji) ?? []));
}
