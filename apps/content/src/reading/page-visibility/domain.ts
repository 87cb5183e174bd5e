import { defineDomain } from '@scriptorium/platform';
import { ContentFacts } from '../analysis/index.js';
import { ContentObjects } from '../../versions/index.js';
import { SeenContent } from './seen-content.process.js';

/** What visitors of sites see of contents. */
export const visitors = defineDomain({
  name: 'visitors',
  objects: ({ use }) => [new SeenContent(use(ContentObjects), use(ContentFacts))],
});
