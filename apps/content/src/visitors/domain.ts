import { defineDomain } from '@scriptorium/platform';
import { ContentFacts } from '../facts/index.js';
import { ContentObjects } from '../objects/index.js';
import { SeenContent } from './seen-content.process.js';

/** What visitors of sites see of contents. */
export const visitors = defineDomain({
  name: 'visitors',
  objects: ({ use }) => [new SeenContent(use(ContentObjects), use(ContentFacts))],
});
