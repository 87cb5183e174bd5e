import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { Space } from '../../content/library/space.js';
import { embed } from '../../kernel/embed.js';

const urls = z.object({
  published: z.url().optional().meta({ description: 'Absent while the site is not published.' }),
});
const condition = z.string().optional().meta({ description: 'Whom it is shown to; absent: to everybody.' });

export const SiteSpace = z
  .object({
    object: z.literal('site-space'),
    id: Id,
    path: z.string(),
    section: Id.optional(),
    space: embed('space', Space),
    title: z.string().meta({ description: 'The title of the space; empty for a member who may not view it.' }),
    default: z.boolean().optional(),
    condition,
    hasAdvancedCustomizationFeature: z.boolean().optional(),
    hidden: z.boolean().optional().meta({ description: 'Whether it is left out of navigation.' }),
    urls,
  })
  .meta({ id: 'SiteSpace' });
export type SiteSpace = z.input<typeof SiteSpace>;

export const SiteSection = z
  .object({
    object: z.literal('site-section'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    default: z.boolean().optional(),
    path: z.string(),
    condition,
    sectionGroup: Id.optional().meta({ description: 'The group in which it stands.' }),
    icon: z.string().optional(),
    siteSpaces: z.array(SiteSpace),
    urls,
  })
  .meta({ id: 'SiteSection' });
export type SiteSection = z.input<typeof SiteSection>;

export const SiteSectionGroup = z
  .object({
    object: z.literal('site-section-group'),
    id: Id,
    title: z.string(),
    sectionGroup: Id.optional().meta({ description: 'The group in which it stands.' }),
    icon: z.string().optional(),
    get children(): z.ZodArray<z.ZodType<SiteSection | SiteSectionGroup>> {
      return z.array(z.union([SiteSection, SiteSectionGroup]) as z.ZodType<SiteSection | SiteSectionGroup>);
    },
    sections: z.array(SiteSection).meta({ description: 'The sections among `children`.', deprecated: true }),
  })
  .meta({ id: 'SiteSectionGroup' });
export interface SiteSectionGroup {
  object: 'site-section-group';
  id: string;
  title: string;
  sectionGroup?: string | undefined;
  icon?: string | undefined;
  children: (SiteSection | SiteSectionGroup)[];
  sections: SiteSection[];
}

/** What stands on a site, in its order. */
export const SiteStructure = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('sections'), structure: z.array(z.union([SiteSection, SiteSectionGroup])) }),
    z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace) }),
  ])
  .meta({ id: 'SiteStructure' });
export type SiteStructure = z.input<typeof SiteStructure>;
