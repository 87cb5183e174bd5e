import { ServiceAccess } from '@scriptorium/access';
import { locateSpacesOnSites, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { Publishing } from '../model/index.js';
import { addressesOfSpaces } from './space-addresses.queries.js';

/** Where spaces are published, for the service that shows them. */
@Controller()
export class SpaceAddressesController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(locateSpacesOnSites)
  async locate(wanted: z.output<(typeof locateSpacesOnSites)['input']>, call: Call<Principal | null>) {
    return { items: await addressesOfSpaces(call, this, wanted) };
  }
}
