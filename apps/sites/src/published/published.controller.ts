import { ServiceAccess } from '@scriptorium/access';
import { getPublishedContentSite, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Publishing, requireSite, viewerOf } from '../model/index.js';
import { SiteScripts } from '../scripts/index.js';
import { showPublished } from './published.queries.js';

@Controller()
export class PublishedController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
    readonly scripts: SiteScripts,
  ) {}

  @Handles(getPublishedContentSite)
  async get({ params, query }: InputOf<typeof getPublishedContentSite>, call: Call) {
    const { principal } = call;
    const { shareKey, viewer } = viewerOf(principal, query.shareKey);
    return call.cached({ of: [params, query] }, async (scope) => {
      const viewed = await requireSite(scope, this.access, principal, params);
      return showPublished(scope, this, { ...viewed, shareKey, viewer });
    });
  }
}
