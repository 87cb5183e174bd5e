import { defineDomain } from '@scriptorium/platform';
import { textIndexes } from './texts.operational.js';

/** What people said: stored outside of the log, so that it can be erased. */
export const texts = defineDomain({ name: 'texts', indexes: textIndexes });
