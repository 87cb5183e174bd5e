export { templateChanges } from './apply-template.process.js';
export { changeContent, type ChangeCall } from './change-content.process.js';
export { getEmbeddedRevision, requirePage } from './content.queries.js';
export { requireFile, shownFile } from './files.queries.js';
export { pageUrl, renderAlone } from './pages.render.js';
export { contentReadsController, fileReadsController } from './reads.controllers.js';
export { compareWith } from './semantic-changes.queries.js';
export { showContent, type Sources } from './show-content.queries.js';
export { viewContent, type ContentView } from './view.queries.js';
