export { apiBlocksIn, apiUseOf, fileNamed, specNamed, type ApiUse } from './api-parts.js';
export { countsOf, countWords, type DocumentAnalysis, type WordCounts } from './analyse-document.js';
export { DocumentAnalyses } from './document-analyses.process.js';
export { holds, seeDocument, type Seen, withoutExpressions } from './see-document.js';
export { seenAs } from './seen-as.queries.js';
export { isLong, seenDocument } from './seen-document.process.js';
export { folded, wordsOf } from './words.js';
