/** What is wrong with a specification, and where; lines and columns from 1. */
export interface Problem {
  message: string;
  /** The rule that found it, in a word. */
  code: string;
  severity: 'error' | 'warning';
  /** JSON pointer in the text. */
  pointer?: string;
  line?: number;
  column?: number;
}

/** Problems as they are answered: the first of them, and how many there are. */
export interface Problems {
  items: readonly Problem[];
  count: number;
}

/** Problems that are kept of a text. */
export const mostProblems = 100;

/** Characters of a message: it may quote the text. */
const longestMessage = 500;

export function problem(message: string, rest: Omit<Problem, 'message'>): Problem {
  return { message: message.toWellFormed().slice(0, longestMessage).toWellFormed(), ...rest };
}
