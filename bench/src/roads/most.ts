import type { RoadName } from './roads.js';

/**
 * The most files that a request of a kind may run through. These numbers only fall. A few more than were counted: what
 * the product does by itself is not always told apart.
 */
export const mostFiles: Readonly<Record<RoadName, number>> = {
  'PATCH team': 115,
  'GET team': 80,
  'POST content': 200,
  merge: 163,
  'urls/published': 101,
  'GET page': 95,
};
