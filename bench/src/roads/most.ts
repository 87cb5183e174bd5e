import type { RoadName } from './roads.js';

/**
 * The most files that a request of a kind may run through. These numbers only fall. A few more than were counted: what
 * the product does by itself is not always told apart.
 */
export const mostFiles: Readonly<Record<RoadName, number>> = {
  'PATCH team': 113,
  'GET team': 76,
  'POST content': 198,
  merge: 160,
  'urls/published': 98,
  'GET page': 94,
};
