import { ServiceAccess } from '@scriptorium/access';
import {
  changeContentInChangeRequest,
  getChangeRequestSemanticChanges,
  getFileInChangeRequestById,
  getPageInChangeRequestById,
  getPageInChangeRequestByPath,
  getReusableContentInChangeRequestById,
  getRevisionOfChangeRequestById,
  listFilesInChangeRequestById,
  listPagesInChangeRequest,
  referTo,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireRequestBranch, takenFrom, ContentObjects, changeContent } from '../../versions/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { requireWritable } from '../../library/index.js';
import { contentReadsController, fileReadsController } from './reads.controllers.js';
import { compareWith } from './revisions/compare-with.queries.js';
import { showContent, type Sources } from './show-content.queries.js';

/** The reads of the content of change requests. */
const ChangeRequestReadsController = contentReadsController({
  revision: getRevisionOfChangeRequestById,
  pages: listPagesInChangeRequest,
  page: getPageInChangeRequestById,
  pageByPath: getPageInChangeRequestByPath,
  reusableContent: getReusableContentInChangeRequestById,
});

/** The reads of the files of change requests. */
const ChangeRequestFilesController = fileReadsController({
  files: listFilesInChangeRequestById,
  file: getFileInChangeRequestById,
});

/** The content of change requests: what it alone has. */
@Controller()
class ChangeRequestContentController {
  readonly #sources: Sources;

  constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
    this.#sources = { access, objects, seen };
  }

  @Handles(getChangeRequestSemanticChanges)
  async changes({ params, query }: InputOf<typeof getChangeRequestSemanticChanges>, call: Call) {
    return showContent(call, this.#sources, { params, query }, async (scope, view) => {
      if (view.reader !== undefined) return { changes: [] };
      const { request } = await requireRequestBranch(scope, params.spaceId, params.changeRequestId);
      return compareWith(scope, this.#sources.objects, takenFrom(request).tree, { view, query });
    });
  }

  @Handles(changeContentInChangeRequest)
  async change({ params, body }: InputOf<typeof changeContentInChangeRequest>, call: Call) {
    const { spaceId: space, changeRequestId } = params;
    const { id: branch } = await requireRequestBranch(call, space, changeRequestId);
    await requireWritable(call, space);
    const made = await changeContent(call, this.#sources.objects, { space, branch }, body);
    return { ...made, changeRequest: referTo('change-request', branch) };
  }
}

export const changeRequestControllers = [
  ChangeRequestReadsController,
  ChangeRequestFilesController,
  ChangeRequestContentController,
];
