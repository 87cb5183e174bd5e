import type { RoadName } from './roads.js';

/**
 * The most files that a request of a kind may run through. These numbers only fall. A few more than were counted: what
 * the product does by itself is not always told apart.
 */
export const mostFiles: Readonly<Record<RoadName, number>> = {
  'PATCH team': 118,
  'GET team': 82,
  'POST content': 209,
  merge: 168,
  'urls/published': 108,
  'GET page': 98,
};
