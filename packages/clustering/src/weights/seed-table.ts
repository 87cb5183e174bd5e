import { seedParagraphs, seedTerms } from './generated/seed-english.js';
import type { WeightTable } from './weights.js';

/** The table counts as that many texts, so that an organization's own texts soon say more than it does. */
const worth = 200;

/**
 * The table of an organization that has no conversations yet: English, made from the documentation of this product.
 * In other languages all terms say as much as each other until the first table is cut.
 */
export function seedTable(): WeightTable {
  const counts = seedTerms.flatMap(([paragraphs, terms]) =>
    terms.split('|').map((term): [string, number] => [term, (paragraphs * worth) / seedParagraphs]),
  );
  return { version: 0, conversations: 0, languages: [['en', { texts: worth, counts }]] };
}
