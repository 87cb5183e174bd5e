/** Differs when the same text would be made into other forms. What is derived from forms and kept names it. */
export const formVersion = 3;
