/** What read models have of comments and replies alike. */
export interface PostedDocument {
  organization: string;
  space: string;
  changeRequest: string | null;
  author: string;
  postedAt: string;
  editedAt: string | null;
  /** The name of its text. */
  text: string;
  /** The emoji that was first is first; so are users. */
  reactions: ReactionDocument[];
  /** About how many bytes an answer has that shows it. */
  answerBytes: number;
}

export interface ReactionDocument {
  emoji: string;
  users: { user: string; at: string }[];
}

/** Bytes of a person in an answer. */
export const bytesOfPerson = 300;

export function reacted<D extends PostedDocument>(doc: D, emoji: string, user: { user: string; at: string }): D {
  const known = doc.reactions.find((reaction) => reaction.emoji === emoji);
  if (known?.users.some((other) => other.user === user.user) === true) return doc;
  const reactions =
    known === undefined
      ? [...doc.reactions, { emoji, users: [user] }]
      : doc.reactions.map((each) => (each === known ? { emoji, users: [...each.users, user] } : each));
  return { ...doc, reactions, answerBytes: doc.answerBytes + bytesOfPerson };
}

export function unreacted<D extends PostedDocument>(doc: D, emoji: string, user: string): D {
  const known = doc.reactions.find((reaction) => reaction.emoji === emoji);
  if (known?.users.some((other) => other.user === user) !== true) return doc;
  const reactions = doc.reactions
    .map((each) => (each === known ? { emoji, users: each.users.filter((other) => other.user !== user) } : each))
    .filter(({ users }) => users.length > 0);
  return { ...doc, reactions, answerBytes: doc.answerBytes - bytesOfPerson };
}

/** A new text in the place of the one before. */
export function rewritten<D extends PostedDocument & { bytes: number }>(
  doc: D,
  { text, bytes }: { text: string; bytes: number },
  editedAt: string,
): D {
  return { ...doc, text, bytes, editedAt, answerBytes: doc.answerBytes + bytes - doc.bytes };
}
