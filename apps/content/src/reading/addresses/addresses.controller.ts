import { ServiceAccess } from '@scriptorium/access';
import { getContentByUrl, getEmbedByUrl, getEmbedByUrlInSpace, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects } from '../../versions/index.js';
import { embedUrl } from './embed-url.process.js';
import { findContent } from './find-content.queries.js';

@Controller()
export class AddressesController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
  ) {}

  @Handles(getContentByUrl)
  async find({ query }: InputOf<typeof getContentByUrl>, call: Call) {
    const { access, objects } = this;
    return findContent(call, { access, objects }, call.principal, query.url);
  }

  @Handles(getEmbedByUrl)
  async embed({ query }: InputOf<typeof getEmbedByUrl>, call: Call) {
    return embedUrl(call, query.url);
  }

  @Handles(getEmbedByUrlInSpace)
  async embedInSpace({ query }: InputOf<typeof getEmbedByUrlInSpace>, call: Call) {
    return embedUrl(call, query.url);
  }
}
