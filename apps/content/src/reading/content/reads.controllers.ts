import { ServiceAccess } from '@scriptorium/access';
import type {
  getCurrentRevision,
  getFileById,
  getFileInChangeRequestById,
  getFileInRevisionById,
  getPageById,
  getPageByPath,
  getPageInChangeRequestById,
  getPageInChangeRequestByPath,
  getPageInRevisionById,
  getPageInRevisionByPath,
  getReusableContentById,
  getReusableContentInChangeRequestById,
  getReusableContentInRevisionById,
  getRevisionById,
  getRevisionOfChangeRequestById,
  InputOf,
  listFiles,
  listFilesInChangeRequestById,
  listFilesInRevisionById,
  listPages,
  listPagesInChangeRequest,
  listPagesInRevisionById,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { SeenContent } from '../page-visibility/index.js';
import {
  getPage,
  getReusableContent,
  getRevision,
  listPages as pagesOf,
  readForTag,
  requirePage,
} from './content.queries.js';
import { getFile, listFiles as filesOf } from './files.queries.js';
import { noteSites, publishedUrls } from './published/published-urls.queries.js';
import { showContent, type Sources } from './show-content.queries.js';

/** The operations that read the content of one place: the main content of a space, a change request, or a revision. */
interface ContentReads {
  revision: typeof getCurrentRevision | typeof getRevisionOfChangeRequestById | typeof getRevisionById;
  pages: typeof listPages | typeof listPagesInChangeRequest | typeof listPagesInRevisionById;
  page: typeof getPageById | typeof getPageInChangeRequestById | typeof getPageInRevisionById;
  pageByPath: typeof getPageByPath | typeof getPageInChangeRequestByPath | typeof getPageInRevisionByPath;
  reusableContent:
    | typeof getReusableContentById
    | typeof getReusableContentInChangeRequestById
    | typeof getReusableContentInRevisionById;
}

/** Those that read its files. */
interface FileReads {
  files: typeof listFiles | typeof listFilesInChangeRequestById | typeof listFilesInRevisionById;
  file: typeof getFileById | typeof getFileInChangeRequestById | typeof getFileInRevisionById;
}

type Input<O extends keyof ContentReads> = InputOf<ContentReads[O]>;

type ReadsController = new (access: ServiceAccess, objects: ContentObjects, seen: SeenContent) => object;

/** The controller of the reads of the files of one place. */
export function fileReadsController(operations: FileReads): ReadsController {
  @Controller()
  class FileReadsController {
    readonly #sources: Sources;

    constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
      this.#sources = { access, objects, seen };
    }

    @Handles(operations.files)
    async files({ params, query }: InputOf<FileReads['files']>, call: Call) {
      const { operation } = call;
      return showContent(call, this.#sources, { params, query }, (scope, view) =>
        filesOf(scope, this.#sources, view, { ...query, operation, scope: params }),
      );
    }

    @Handles(operations.file)
    async file({ params, query }: InputOf<FileReads['file']>, call: Call) {
      return showContent(call, this.#sources, { params, query }, (scope, view) =>
        getFile(scope, this.#sources.seen, view, params.fileId),
      );
    }
  }
  return FileReadsController;
}

/**
 * A revision. For its entity tag alone nothing has to be rendered. What is published is the present content of a space.
 */
function showRevision(call: Call, sources: Sources, input: Pick<Input<'revision'>, 'params' | 'query'>) {
  const { params, query } = input;
  const { principal } = call;
  const isPublished = !('changeRequestId' in params || 'revisionId' in params);
  return showContent(
    call,
    sources,
    input,
    async (scope, view) => {
      const revision = await getRevision(scope, sources.seen, view);
      if (!isPublished) return revision;
      const published = await publishedUrls({ ...scope, principal }, view, query.shareKey);
      return { ...revision, urls: { ...revision.urls, ...published } };
    },
    async (scope, view) => {
      await readForTag(scope, sources.seen, view);
      if (isPublished) await noteSites(scope, view);
    },
  );
}

/** The controller of the other reads of one place. */
export function contentReadsController(operations: ContentReads): ReadsController {
  @Controller()
  class ContentReadsController {
    readonly #sources: Sources;

    constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
      this.#sources = { access, objects, seen };
    }

    @Handles(operations.revision)
    async revision({ params, query }: Input<'revision'>, call: Call) {
      return showRevision(call, this.#sources, { params, query });
    }

    @Handles(operations.pages)
    async pages({ params, query }: Input<'pages'>, call: Call) {
      return showContent(call, this.#sources, { params, query }, (scope, view) => pagesOf(scope, view));
    }

    @Handles(operations.page)
    async page({ params, query }: Input<'page'>, call: Call) {
      return showContent(call, this.#sources, { params, query }, async (scope, view) =>
        getPage(scope, view, await requirePage(view, { id: params.pageId }), query),
      );
    }

    @Handles(operations.pageByPath)
    async pageByPath({ params, query }: Input<'pageByPath'>, call: Call) {
      return showContent(call, this.#sources, { params, query }, async (scope, view) =>
        getPage(scope, view, await requirePage(view, { path: params.pagePath }), query),
      );
    }

    @Handles(operations.reusableContent)
    async reusableContent({ params, query }: Input<'reusableContent'>, call: Call) {
      return showContent(call, this.#sources, { params, query }, (scope, view) =>
        getReusableContent(scope, this.#sources.seen, view, params.reusableContentId, query),
      );
    }
  }
  return ContentReadsController;
}
