export { countsOf, countWords, type DocumentFacts, type WordCounts } from './analyse-document.js';
export { ContentFacts } from './content-analysis.process.js';
export { holds, seeDocument, type Seen } from './see-document.js';
export { seenAs } from './seen-as.queries.js';
export { isLong, seenDocument } from './seen-document.process.js';
export { folded, wordsOf } from './words.js';
