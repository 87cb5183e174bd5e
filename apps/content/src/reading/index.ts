export {
  type ContentPlace,
  type ContentView,
  getWholeDocument,
  peopleNamed,
  requireRevision,
  seenByReader,
  showContent,
  targetsElsewhere,
  viewAs,
  viewContent,
  withBlocks,
} from './content/index.js';
