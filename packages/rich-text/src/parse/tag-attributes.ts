/** Whether an attribute says yes or no. */
export const flag = (value: string | undefined): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined;
/** Whether an attribute says yes; that it says anything else is not kept. */
export const yes = (value: string | undefined): true | undefined => (value === 'true' ? true : undefined);

/** The parts of an attribute that lists some. */
export const list = (value: string | undefined): string[] =>
  (value ?? '').split(',').flatMap((part) => part.trim() || []);
