import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  listPublishedPages,
  listUsedExpressions,
  locateInContent,
  locatePublishedPages,
  locatePublishedPath,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { ContentObjects } from '../../../versions/index.js';
import { DocumentAnalyses } from '../../analysis/index.js';
import { listPublished } from './list-published.queries.js';
import { locatePages, locatePublished } from './locate-published.queries.js';
import { locate } from './locate.queries.js';
import { usedExpressions } from './used-expressions.queries.js';

/** What other services ask about places in content. */
@Controller()
export class LocateController {
  constructor(
    readonly access: ServiceAccess,
    readonly objects: ContentObjects,
    readonly analyses: DocumentAnalyses,
  ) {}

  @Handles(locateInContent)
  async locate(wanted: z.output<(typeof locateInContent)['input']>, call: Call<Principal | null>) {
    return locate(call, this.objects, wanted);
  }

  @Handles(locatePublishedPath)
  async locatePublished(wanted: z.output<(typeof locatePublishedPath)['input']>, call: Call<Principal | null>) {
    return locatePublished(call, this.objects, wanted);
  }

  @Handles(locatePublishedPages)
  async locatePages(wanted: z.output<(typeof locatePublishedPages)['input']>, call: Call<Principal | null>) {
    return { paths: await locatePages(call, this.objects, wanted) };
  }

  @Handles(listUsedExpressions)
  async listExpressions(wanted: z.output<(typeof listUsedExpressions)['input']>, call: Call<Principal | null>) {
    return usedExpressions(call, this, wanted);
  }

  @Handles(listPublishedPages)
  async listPublished(wanted: z.output<(typeof listPublishedPages)['input']>, call: Call<Principal | null>) {
    if (call.principal === null) throw new AppError('unauthenticated');
    return listPublished(call, this, call.principal, wanted);
  }
}
