import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  getChangeRequestPdf,
  getSpacePdf,
  lookupChangeRequests,
  preparePublishedPdf,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, Reply, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { requireNode } from '../../library/index.js';
import { viewAs, viewContent, type ContentPlace } from '../../reading/index.js';
import { ContentObjects, requireRequestBranch, takenFrom } from '../../versions/index.js';
import { askPdf } from './ask-pdf.process.js';
import { PdfLayouts } from './pdf-layouts.process.js';
import type { Wish } from './wish.js';

/** What is left of the time of a request for its answer, ms. */
const reserveMs = 2_000;

/** Addresses of PDFs. */
@Controller()
export class PdfController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
    private readonly layouts: PdfLayouts,
  ) {}

  @Handles(getSpacePdf)
  async ofSpace({ params: { spaceId: space }, query }: InputOf<typeof getSpacePdf>, call: Call) {
    const { organization } = await requireNode(call, this.access, call.principal, space);
    const view = await viewContent(call, this.objects, organization, { space, branch: space });
    return this.#answer(call, await askPdf(call, this.layouts, view, { ...query, until: untilOf(call) }));
  }

  @Handles(getChangeRequestPdf)
  async ofChangeRequest({ params, query }: InputOf<typeof getChangeRequestPdf>, call: Call) {
    const { spaceId: space, changeRequestId } = params;
    const { organization } = await requireNode(call, this.access, call.principal, space);
    const { id: branch, request: state } = await requireRequestBranch(call, space, changeRequestId);
    const view = await viewContent(call, this.objects, organization, { space, branch });
    const named = await describedRequest(call, branch);
    const request = { ...(named === undefined ? {} : { named }), before: takenFrom(state).tree };
    return this.#answer(call, await askPdf(call, this.layouts, view, { ...query, request, until: untilOf(call) }));
  }

  @Handles(preparePublishedPdf)
  async ofPublished(input: z.output<typeof preparePublishedPdf.input>, call: Call<Principal | null>) {
    const { organization, space, waitSeconds, page, only, paper, published } = input;
    const { principal } = call;
    if (principal?.kind !== 'visitor') throw new AppError('not_found');
    await requireNode(call, this.access, principal, space);
    const view = await viewAs(call, this.objects, { organization, principal }, placeOf(space, principal.visitor));
    const until = waitSeconds === 0 ? undefined : Math.min(call.now() + waitSeconds * 1_000, call.deadline - reserveMs);
    return askPdf(call, this.layouts, view, { page, only, paper, published, until });
  }

  #answer<T>({ waitSeconds }: Call, pdf: T): Reply<T> {
    return new Reply(pdf, { waited: waitSeconds > 0 });
  }
}

function untilOf({ waitSeconds, now, deadline }: Call): number | undefined {
  return waitSeconds === 0 ? undefined : Math.min(now() + waitSeconds * 1_000, deadline - reserveMs);
}

/** A preview shows one change request or one revision; others the main content. */
function placeOf(space: string, { preview }: Pick<NonNullable<Wish['reader']>, 'preview'>): ContentPlace {
  if (preview === undefined) return { space, branch: space };
  return 'revision' in preview ? { space, revision: preview.revision } : { space, branch: preview.changeRequest };
}

/** Number, subject and status, as the service says that has them; `undefined` while it does not answer. */
async function describedRequest(call: Call, id: string): Promise<NonNullable<Wish['request']>['named']> {
  try {
    const { items } = await ask(call, lookupChangeRequests, { ids: [id] });
    const [found] = items;
    if (found === undefined) return undefined;
    const { number, subject, status } = found;
    return { number, subject, status };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unavailable') return undefined;
    throw error;
  }
}
