import { defineDomain, type AccessResolvers } from '@scriptorium/platform';
import { AddressesController } from './addresses.controller.js';

/** Anyone may ask what an address is of: what is found there is shown to whoever may see it. */
const addressAccess: AccessResolvers = {
  address: () => Promise.resolve({ parentVisible: true, exists: true, relations: new Set(['anyone'] as const) }),
};

/** Addresses of the application, and what they are of. */
export const addresses = defineDomain({
  name: 'addresses',
  controllers: [AddressesController],
  resolvers: () => addressAccess,
});
