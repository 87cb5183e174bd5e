import { ServiceAccess } from '@scriptorium/access';
import { getComputedDocument, getComputedRevision, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { computedDocument, computedRevision } from './computed-content.queries.js';
import { showContent, type Sources } from './show-content.queries.js';

/** What is computed from a source that the caller names. */
@Controller()
export class ComputedContentController {
  readonly #sources: Sources;

  constructor(access: ServiceAccess, objects: ContentObjects, seen: SeenContent) {
    this.#sources = { access, objects, seen };
  }

  @Handles(getComputedDocument)
  async document({ params, body }: InputOf<typeof getComputedDocument>, call: Call) {
    return showContent(call, this.#sources, { params, query: body }, (scope, view) =>
      computedDocument(scope, this.#sources, view, body),
    );
  }

  @Handles(getComputedRevision)
  async revision({ params, body }: InputOf<typeof getComputedRevision>, call: Call) {
    return showContent(call, this.#sources, { params, query: body }, (scope, view) =>
      computedRevision(scope, this.#sources, view, body),
    );
  }
}
