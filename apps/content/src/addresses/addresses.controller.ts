import { ServiceAccess } from '@scriptorium/access';
import { getContentByUrl, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { ContentObjects } from '../objects/index.js';
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
}
