import { defineDomain } from '@scriptorium/platform';
import { ContentObjects } from './content-objects.operational.js';

/** What content consists of: documents and parts of trees, each stored under its hash. */
export const objects = defineDomain({ name: 'objects', objects: ({ context }) => [new ContentObjects(context)] });
