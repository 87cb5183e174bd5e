import { defineDomain } from '@scriptorium/platform';
import { DocumentAnalyses } from '../analysis/index.js';
import { ContentObjects } from '../../versions/index.js';
import { SearchController } from './search.controller.js';
import { SearchIndexes } from './space-indexes/search-indexes.process.js';

/** Search of spaces and organizations. */
export const search = defineDomain({
  name: 'search',
  controllers: [SearchController],
  objects: ({ use }) => [new SearchIndexes(use(ContentObjects), use(DocumentAnalyses))],
});
