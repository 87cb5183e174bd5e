import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  searchOrganizationContent,
  searchSpaceContent,
  searchSpaces,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { showContent } from '../content/index.js';
import { requirePlace } from '../../library/index.js';
import { ContentObjects } from '../../versions/index.js';
import { SeenContent } from '../page-visibility/index.js';
import { searchOrganization } from './search-organization.queries.js';
import { SearchIndexes } from './space-indexes/search-indexes.process.js';
import { searchSpace } from './search-space.queries.js';
import { searchInSpaces } from './search-spaces.queries.js';

/** Search in the main content of spaces. */
@Controller()
export class SearchController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
    private readonly indexes: SearchIndexes,
    private readonly seen: SeenContent,
  ) {}

  @Handles(searchSpaceContent)
  async inSpace({ params, query }: InputOf<typeof searchSpaceContent>, call: Call) {
    const { access, objects, indexes, seen } = this;
    const { operation } = call;
    return showContent(call, { access, objects }, { params, query }, (scope, view) =>
      searchSpace(scope, { objects, indexes, seen }, view, { ...query, operation }),
    );
  }

  @Handles(searchOrganizationContent)
  async inOrganization({ params, query }: InputOf<typeof searchOrganizationContent>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    const { access, objects, indexes } = this;
    const { operation } = call;
    return call.cached({ of: [params, query, place] }, (scope) =>
      searchOrganization(scope, { access, objects, indexes }, place, { ...query, operation }),
    );
  }

  @Handles(searchSpaces)
  async inSpaces(wanted: z.output<(typeof searchSpaces)['input']>, call: Call<Principal | null>) {
    if (call.principal === null) throw new AppError('unauthenticated');
    const { access, objects, indexes, seen } = this;
    return searchInSpaces(call, { access, objects, indexes, seen }, call.principal, wanted);
  }
}
