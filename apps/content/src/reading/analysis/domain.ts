import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { ContentFacts } from './content-analysis.process.js';
import { factsSettings } from './analysis.settings.js';

/** What is derived from documents: their words, links and headings. */
export const facts = defineDomain({
  name: 'facts',
  settings: factsSettings,
  objects: ({ settings, use }) => [new ContentFacts(use(ContentObjects), settings)],
});
