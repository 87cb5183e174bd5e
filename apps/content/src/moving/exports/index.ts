export {
  assetsFolder,
  configPath,
  includesFolder,
  manifestPath,
  objectPath,
  summaryPath,
  variablesPath,
} from './archive-paths.js';
export { layOut } from './layout.js';
export { Manifest } from './manifest.js';
export { readSummary, type SummaryEntry } from './summary.js';
