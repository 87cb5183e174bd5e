import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';
import { Id, Timestamp } from '../../kernel/common.js';
import { OrganizationMergeRules } from '../../identity/organizations/organizations.js';

/** The level of members without a grant: a level, none, or that of the parent. */
export const DefaultLevel = z
  .union([MemberRole, z.literal('inherit')])
  .nullable()
  .meta({
    id: 'DefaultLevel',
    description:
      'The level of members without a grant. `inherit`: that of the parent, at the top the role in the organization; `null`: no access.',
  });
export type DefaultLevel = z.output<typeof DefaultLevel>;

export const languages = [
  ...[
    'en',
    'fr',
    'de',
    'es',
    'it',
    'pt',
    'pt-br',
    'ru',
    'ja',
    'zh',
    'zh-tw',
    'yue',
    'ko',
    'ar',
    'hi',
    'nl',
    'pl',
    'tr',
  ],
  ...['sv', 'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk', 'bg', 'hr', 'lt', 'lv'],
  ...['et', 'sl'],
] as const;
/** The language of a space. */
export const Language = z.enum(languages).meta({ id: 'Language' });

/** Code points of one emoji in hexadecimal, joined by `-`. */
export const Emoji = z
  .string()
  .max(50)
  .regex(/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/, 'Must be code points in lower-case hexadecimal, joined by -');

export const SpaceMergeRules = z
  .object({
    type: z.enum(['inherit', 'rules']),
    rules: OrganizationMergeRules.shape.rules.meta({ description: 'Empty for `inherit`.' }),
  })
  .meta({ id: 'SpaceMergeRules', description: '`inherit`: those of the organization.' });

export const Space = z
  .object({
    object: z.literal('space'),
    id: Id,
    title: z.string(),
    emoji: z.string().meta({ description: 'Of a space that has none, a book.' }),
    visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.optional(),
    purgeAt: Timestamp.optional().meta({
      description: 'When a deleted space is removed for good. Until then it can be restored.',
    }),
    editMode: z.enum(['live', 'locked']),
    readOnly: z.object({ translation: Id }).optional().meta({
      description: 'The translation that makes the content of the space. While it is there, nobody else changes it.',
    }),
    mergeRules: SpaceMergeRules,
    organization: Id,
    parent: Id.optional().meta({ description: 'The collection that the space is in.' }),
    language: Language.optional(),
    revision: Id.optional().meta({ description: 'The active revision. Absent while the space has no content.' }),
    defaultLevel: DefaultLevel,
    comments: z.int().min(0),
    changeRequests: z.int().min(0),
    changeRequestsOpen: z.int().min(0),
    changeRequestsDraft: z.int().min(0),
    urls: z.object({
      location: z.url(),
      app: z.url(),
      published: z.url().optional(),
      public: z.url().optional(),
      icon: z.url().optional(),
    }),
    permissions: z.object({
      view: z.boolean(),
      access: z.boolean(),
      admin: z.boolean(),
      viewInviteLinks: z.boolean(),
      edit: z.boolean(),
      triggerGitSync: z.boolean(),
      comment: z.boolean(),
      merge: z.boolean(),
      review: z.boolean(),
      installIntegration: z.boolean(),
    }),
  })
  .meta({ id: 'Space' });
export type Space = z.output<typeof Space>;
