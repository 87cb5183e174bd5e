import { defineDomain } from '@scriptorium/platform';
import { DocumentAnalyses } from '../analysis/index.js';
import { ContentObjects } from '../../versions/index.js';
import { SeenContent } from './seen-content.process.js';

/** What visitors of sites see of contents. */
export const pageVisibility = defineDomain({
  name: 'page-visibility',
  objects: ({ use }) => [new SeenContent(use(ContentObjects), use(DocumentAnalyses))],
});
