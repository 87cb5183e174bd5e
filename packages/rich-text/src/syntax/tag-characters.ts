/** Codes of the characters that tags are made of. */
export const OPEN = 123;
export const CLOSE = 125;
export const PERCENT = 37;
export const DOUBLE = 34;
export const SINGLE = 39;
export const BACKSLASH = 92;
export const EQUALS = 61;
