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
  withOperations,
} from './content/index.js';
