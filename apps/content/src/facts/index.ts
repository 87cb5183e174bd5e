export { countsOf, countWords, type DocumentFacts, type WordCounts } from './analyse-document.js';
export { ContentFacts } from './content-facts.process.js';
export { folded, wordsOf } from './words.js';
