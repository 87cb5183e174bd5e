import { ServiceAccess } from '@scriptorium/access';
import { getPublishedContentSite, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { Publishing, requireSite, viewerOf } from '../model/index.js';
import { showPublished } from './published.queries.js';

@Controller()
export class PublishedController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(getPublishedContentSite)
  async get({ params, query }: InputOf<typeof getPublishedContentSite>, call: Call) {
    const viewed = await requireSite(call, this.access, call.principal, params);
    const { shareKey, viewer } = viewerOf(call.principal, query.shareKey);
    return showPublished(call, this, { ...viewed, shareKey, viewer });
  }
}
