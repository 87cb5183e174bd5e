import { defineDomain } from '@scriptorium/platform';

/** Pages that are computed from sources when content is read. */
export const computedPages = defineDomain({ name: 'computed-pages' });
