/**
 * Bounds of one request to sites. They are part of the contract and the same in every installation. A request beyond
 * them gets 400.
 */
export const siteBounds = {
  /** Spaces that a site is created with, and sections that a group is created with. */
  atOnce: 100,
  /** Groups that stand in each other. */
  groupDepth: 5,
  /** Characters of a condition. */
  condition: 1_024,
  /** Characters of a basename, and of the paths of sections and site spaces. */
  path: 100,
} as const;
