export { getEmbeddedRevision, requirePage } from './content.queries.js';
export { requireFile, shownFile } from './files.queries.js';
export { specKeyOf, specOf, type ShownSpec } from './operations/spec-of.queries.js';
export { mainContentOf, mayViewNode, type Onlooker } from './view/other-space.queries.js';
export { pageUrl, renderAlone } from './view/pages.render.js';
export { viewAs } from './view/reader-view.queries.js';
export { showContent } from './view/show-content.queries.js';
export { type ContentView, viewContent } from './view/view.queries.js';
