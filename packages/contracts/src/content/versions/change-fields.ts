import * as z from 'zod';
import { Id, text } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import {
  Condition,
  ContentTitle,
  Icon,
  PageCoverInput,
  PageLayoutInput,
  PageMetaLinks,
  Slug,
} from '../shapes/page-fields.js';
import { Emoji } from '../library/space.js';
import { VariableChanges } from '../shapes/variables.js';

/** A name that a request gives to something it makes, so that its other changes can name it. */
export const TemporaryName = Id.meta({
  description:
    'A name for what is made, used once in the request: later changes can give it instead of an id, and documents link to a page as `./<ref>.md`. The answer tells the ids.',
});

/** What a change is about: by its id, or by the name that an earlier change of the request gave to it. */
export const Named = Id.meta({ description: 'Its id, or the `ref` of an earlier change of the same request.' });

/** Where a page is put. */
export const place = {
  into: Named.nullable().optional().meta({
    description:
      'The page or group to put it in: its id, or a `ref`; `null` for the top of the space. Unless given, what is new stands at the top, and all else stays where it is.',
  }),
  at: z.int().min(0).optional().meta({
    description:
      'Its place among the pages there, from 0; beyond their number, the end. Unless given, what is new there stands at the end, and all else stays.',
  }),
};

/** How an entry of the navigation looks. */
export const entryFields = {
  emoji: Emoji.nullable().optional(),
  icon: Icon.nullable().optional(),
  hidden: z.boolean().optional(),
  condition: Condition.nullable().optional().meta({
    description: 'Decides which visitors see it, with everything in it: an expression without braces.',
  }),
};

/** Who may find a page. */
const findable = { noIndex: z.boolean().optional(), noRobotsIndex: z.boolean().optional() };

/** The fields of what pages are computed for. The computed pages are as findable as it. */
export const computedFields = { ...entryFields, ...findable };

/** The fields of a page besides its document. `null` removes what can be absent. */
export const pageFields = {
  title: ContentTitle.optional(),
  slug: Slug.optional(),
  ...entryFields,
  description: text(0, contentBounds.description).nullable().optional(),
  ...findable,
  layout: PageLayoutInput.optional(),
  cover: PageCoverInput.nullable().optional(),
  variables: VariableChanges.optional(),
  metaLinks: PageMetaLinks.nullable().optional(),
};

/** The fields of a page by themselves: what the front matter of markdown can say. */
export const PageFields = z.object(pageFields).omit({ title: true, slug: true });
