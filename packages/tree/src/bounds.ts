/** Which keys are meant. What is absent does not bound; keys are compared by their UTF-16 code units. */
export interface Bounds {
  /** The first key that can be in it. */
  readonly from?: string;
  /** The first key behind it. */
  readonly to?: string;
  /** What all its keys begin with. */
  readonly prefix?: string;
}

/** From a key up to another, without that one. */
export interface Range {
  readonly from: string;
  readonly to: string | undefined;
}

/** The range that satisfies all bounds. */
export function rangeOf({ from = '', to, prefix = '' }: Bounds): Range {
  const behind = behindPrefix(prefix);
  return { from: from > prefix ? from : prefix, to: least(to, behind) };
}

export const isIn = (key: string, { from, to }: Range): boolean => key >= from && (to === undefined || key < to);

const least = (left: string | undefined, right: string | undefined): string | undefined =>
  left === undefined || (right !== undefined && right < left) ? right : left;

/** The least key that is greater than all keys with the prefix; none if there is no greater key. */
function behindPrefix(prefix: string): string | undefined {
  let end = prefix.length;
  while (end > 0 && prefix.charCodeAt(end - 1) === 0xffff) end--;
  if (end === 0) return undefined;
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1);
}
