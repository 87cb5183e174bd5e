import { defineDomain } from '@scriptorium/platform';

/** Links between contents. */
export const links = defineDomain({ name: 'links' });
