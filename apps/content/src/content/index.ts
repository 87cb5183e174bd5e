export { templateChanges } from './template-changes.js';
export { changeContent, type ChangeCall } from './change-content.process.js';
export { getEmbeddedRevision, requirePage } from './content.queries.js';
export { viewAs } from './reader-view.queries.js';
export { requireFile, shownFile } from './files.queries.js';
export { mainContentOf, mayViewNode, type Onlooker } from './other-space.queries.js';
export { pageUrl, renderAlone } from './pages.render.js';
export { showContent } from './show-content.queries.js';
export { viewContent, type ContentView } from './view.queries.js';
