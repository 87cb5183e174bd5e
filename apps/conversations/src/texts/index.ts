export {
  answerPart,
  confirmTexts,
  dropParts,
  dropPending,
  dropTexts,
  findPending,
  findTexts,
  markPending,
  storeTexts,
  type TextPart,
  type TextPlace,
} from './texts.operational.js';
export { binaryOf, findVectors, numbersOf, storeVectors } from './vectors.operational.js';
