import * as z from 'zod';
import { embed } from '../../kernel/embed.js';
import { Organization } from '../../identity/organizations/organizations.js';
import { User } from '../../identity/people/users.js';
import { Collection } from '../library/collection.js';
import { ContentFile } from '../shapes/file.js';
import { Page } from '../shapes/page.js';
import { ReusableContent } from '../shapes/reusable-content.js';
import { EmbeddedRevision } from '../shapes/revision.js';
import { Space } from '../library/space.js';

const within = {
  organization: embed('organization', Organization),
  space: embed('space', Space),
};

const versioned = {
  ...within,
  versionContext: z.object({ type: z.literal('revision'), revision: EmbeddedRevision }),
};

/** Where in a page something is: at a heading, or in a node of its document. */
const InternalLocation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('anchor'), anchor: z.string() }),
  z.object({ type: z.literal('node'), node: z.string() }),
]);

const internalLocation = InternalLocation.optional();

/** A place in content, with the resources that it is in. Pages come without their documents and the pages in them. */
export const ContentLocation = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), ...versioned, page: Page, internalLocation }),
    z.object({ kind: z.literal('file'), ...versioned, file: ContentFile }),
    z.object({
      kind: z.literal('reusable-content'),
      ...versioned,
      reusableContent: ReusableContent,
      internalLocation,
    }),
    z.object({ kind: z.literal('space'), ...within }),
    z.object({ kind: z.literal('collection'), organization: within.organization, collection: Collection }),
    z.object({ kind: z.literal('user'), user: embed('user', User) }),
    z.object({ kind: z.literal('url'), url: z.string() }),
  ])
  .meta({ id: 'ContentLocation' });
export type ContentLocation = z.input<typeof ContentLocation>;
