export { countsOf, countWords, type DocumentFacts, type WordCounts } from './analyse-document.js';
export { ContentFacts } from './content-facts.process.js';
export { holds, seeDocument, seenAs, type Seen } from './see-document.js';
export { folded, wordsOf } from './words.js';
