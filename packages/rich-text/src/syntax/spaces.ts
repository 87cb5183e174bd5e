// A quantifier before a character that may be missing reads every rest of a long run of spaces again. Here each run is
// read once.

/** A text on one line: white space with a line ending in it is one space. */
export const unbroken = (text: string): string => text.replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run));

/** A text without the spaces and tabs at its start. Other white space, such as a protected space, is part of a text. */
export const trimmedStart = (text: string): string => text.replace(/^[ \t]+/, '');

/** A text without the spaces and tabs at its end. */
export const trimmedEnd = (text: string): string => text.replace(/(?<![ \t])[ \t]+$/, '');
