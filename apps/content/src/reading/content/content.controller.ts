import { ServiceAccess } from '@scriptorium/access';
import {
  applyTemplateToSpace,
  changeSpaceContent,
  getCurrentRevision,
  getDocumentById,
  getFileById,
  getPageById,
  getPageByPath,
  getReusableContentById,
  getSpacePageMetaLinks,
  listFiles,
  listPages,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects, changeContent } from '../../versions/index.js';
import { requireLive } from '../../library/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { applyTemplate } from './apply-template.process.js';
import { getDocument, getMetaLinks } from './content.queries.js';
import { contentReadsController, fileReadsController } from './reads.controllers.js';
import { showContent, type Sources } from './show-content.queries.js';

/** The reads of the main content of spaces. */
export const MainReadsController = contentReadsController({
  revision: getCurrentRevision,
  pages: listPages,
  page: getPageById,
  pageByPath: getPageByPath,
  reusableContent: getReusableContentById,
});

/** The reads of the files of the main content. */
export const MainFilesController = fileReadsController({ files: listFiles, file: getFileById });

/** The main content of spaces: what it alone has. */
@Controller()
export class ContentController {
  readonly #sources: Sources;

  constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
    this.#sources = { access, objects, seen };
  }

  @Handles(getSpacePageMetaLinks)
  async metaLinks({ params, query }: InputOf<typeof getSpacePageMetaLinks>, call: Call) {
    return showContent(call, this.#sources, { params, query }, (_scope, view) => getMetaLinks(view, params.pageId));
  }

  @Handles(getDocumentById)
  async document({ params }: InputOf<typeof getDocumentById>, call: Call) {
    return showContent(call, this.#sources, { params }, (scope, view) =>
      getDocument(scope, this.#sources.seen, view, params.documentId),
    );
  }

  @Handles(changeSpaceContent)
  async change({ params, body }: InputOf<typeof changeSpaceContent>, call: Call) {
    const { spaceId: space } = params;
    await requireLive(call, space);
    return changeContent(call, this.#sources.objects, { space, branch: space }, body);
  }

  @Handles(applyTemplateToSpace)
  async applyTemplate({ params, body }: InputOf<typeof applyTemplateToSpace>, call: Call): Promise<void> {
    await applyTemplate(call, this.#sources.objects, params.spaceId, body);
  }
}
