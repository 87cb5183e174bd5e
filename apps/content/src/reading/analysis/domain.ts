import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { DocumentAnalyses } from './document-analyses.process.js';
import { analysisSettings } from './analysis.settings.js';

/** What is derived from documents: their words, links and headings. */
export const analysis = defineDomain({
  name: 'analysis',
  settings: analysisSettings,
  objects: ({ settings, use }) => [new DocumentAnalyses(use(ContentObjects), settings)],
});
