export {
  assetsFolder,
  bookPath,
  configPath,
  createNames,
  folderOf,
  includesFolder,
  manifestPath,
  objectPath,
  pathPart,
  relativeTo,
  summaryPath,
  variablesPath,
} from './archive-paths.js';
export { Manifest } from './manifest.js';
export { readSummary, writeSummary, type SummaryEntry } from './summary.js';
