import * as z from 'zod';
import { Url, text } from '../../kernel/common.js';
import { emojiCode } from '../../collaboration/emoji.js';
import { StorageKey } from '../../content/versions/file-input.js';
import { ContentReference } from '../../content/shapes/content-reference.js';
import { VisitorUrl } from '../visitor-url.js';

const Color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'Must be a color, such as #346DDB');
const colors = z.object({ light: Color, dark: Color }).meta({ id: 'Colors' });

/** An upload that is shown: it is kept, and read as its address, for as long as it is used. */
const UploadedFile = z
  .object({ file: StorageKey.meta({ description: 'The key of `POST /orgs/{organizationId}/storage/upload`.' }) })
  .meta({ id: 'UploadedFile' });
/** What is shown, in requests: its address, or an upload. */
const Shown = z.union([Url, UploadedFile]);

const title = text(1, 128);
const condition = z.string().max(1_024).optional();
/** The title of a link, which stands in a line with others. */
const linkTitle = text(1, 64);
const link = z.object({ title: linkTitle, to: ContentReference }).meta({ id: 'CustomizationLink' });

export const siteFonts = [
  ...['ABCFavorit', 'Inter', 'Roboto', 'RobotoSlab', 'OpenSans', 'SourceSansPro', 'Lato', 'Ubuntu', 'Raleway'],
  ...['Merriweather', 'Overpass', 'NotoSans', 'IBMPlexSerif', 'Poppins', 'FiraSans'],
] as const;
type SiteFont = (typeof siteFonts)[number];
export const monospaceFonts = [
  ...['FiraCode', 'IBMPlexMono', 'JetBrainsMono', 'SourceCodePro', 'RobotoMono', 'SpaceMono', 'DMMono'],
  'Inconsolata',
] as const;
const customFont = <A extends z.ZodType>(address: A) =>
  z.object({
    id: text(1, 128),
    custom: z.boolean(),
    fontFamily: text(1, 50),
    fontFaces: z
      .array(
        z.object({
          weight: z.int().min(1).max(1_000),
          sources: z
            .array(z.object({ url: address, format: z.string().max(32).optional() }))
            .min(1)
            .max(10),
        }),
      )
      .min(1)
      .max(20),
  });

const HeaderLink = z
  .object({
    title: linkTitle,
    style: z.enum(['link', 'button-primary', 'button-secondary']).default('link'),
    to: ContentReference.nullable().meta({ description: 'May be null where there are `links`.' }),
    links: z.array(link).max(50).default([]),
    condition,
  })
  .refine(({ to, links }) => to !== null || links.length > 0, {
    path: ['to'],
    message: 'A link leads somewhere or has links',
  });

/** The languages in which sites say what is not content. */
const Locale = z.enum(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru', 'ko', 'ar']);

const enabled = z.object({ enabled: z.boolean() });

/** A host whose pages are shown within those of a site, which it may count and follow there. */
const EmbedHost = z
  .string()
  .max(253)
  .regex(
    /^(?=.*[a-z])[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/,
    'Must be a host name in lower case, such as www.example.com',
  );

function stylingWith<A extends z.ZodType>(address: A, name: z.ZodType<SiteFont>) {
  const font = customFont(address);
  return z.object({
    theme: z.enum(['clean', 'muted', 'bold', 'gradient']),
    primaryColor: colors,
    tint: z.object({ color: colors }).optional(),
    infoColor: colors,
    successColor: colors,
    warningColor: colors,
    dangerColor: colors,
    corners: z.enum(['straight', 'rounded', 'circular']),
    depth: z.enum(['subtle', 'flat']),
    links: z.enum(['default', 'accent']),
    font: z.union([name, font]),
    monospaceFont: z.union([z.enum(monospaceFonts), font]),
    icons: z.enum(['regular', 'solid', 'duotone', 'light', 'thin']),
    sidebar: z.object({
      background: z.enum(['default', 'filled']).default('default'),
      list: z.enum(['default', 'pill', 'line']).default('default'),
    }),
    search: z.enum(['prominent', 'subtle']),
    background: z.enum(['plain', 'match']).meta({ deprecated: true }),
  });
}

/** The forms of what is shown, which differ between requests and what is stored. */
interface Forms<A extends z.ZodType> {
  address: A;
  emoji: z.ZodString;
  font: z.ZodType<SiteFont>;
}

/** How a site looks, in groups. */
function groupsWith<A extends z.ZodType>({ address, emoji, font }: Forms<A>) {
  const images = z.object({ light: address, dark: address });
  return {
    styling: stylingWith(address, font),
    internationalization: z.object({ locale: Locale }),
    favicon: z.object({ icon: images.optional(), emoji: emoji.optional() }),
    header: z.object({
      preset: z.enum(['default', 'bold', 'contrast', 'custom', 'none']).meta({ deprecated: true }),
      logo: images.optional(),
      primaryLink: ContentReference.optional(),
      links: z.array(HeaderLink).max(50),
    }),
    footer: z.object({
      logo: images.optional(),
      groups: z.array(z.object({ title, links: z.array(link).max(50) })).max(20),
      copyright: text(0, 300).optional(),
    }),
    announcement: z.object({
      enabled: z.boolean(),
      message: text(2, 128),
      link: link.optional(),
      style: z.enum(['info', 'warning', 'danger', 'success']),
    }),
    themes: z.object({ default: z.enum(['light', 'dark', 'system']), toggeable: z.boolean() }),
    pdf: enabled,
    feedback: enabled,
    ai: z.object({ mode: z.enum(['none', 'search', 'assistant']) }),
    advancedCustomization: enabled,
    git: z.object({ showEditLink: z.boolean() }),
    pageActions: z.object({ externalAI: z.boolean(), markdown: z.boolean(), mcp: z.boolean() }),
    externalLinks: z.object({ target: z.enum(['self', 'blank']) }),
    pagination: enabled,
    trademark: enabled,
    privacyPolicy: z.object({ url: VisitorUrl.optional() }),
    socialPreview: z.object({ url: address.optional() }),
    insights: z.object({ trackingCookie: z.boolean() }),
    embeds: z.object({ hosts: z.array(EmbedHost).max(50) }),
  };
}

const storedEmoji = z.string().max(50);
const givenEmoji = storedEmoji.refine(
  (given) => emojiCode(given) !== undefined,
  'Must be a single emoji, or its code points in hexadecimal',
);

/** A font of a foundry, which nobody may pass on: sites that have a licence bring its files. */
const givenFont = z
  .enum(siteFonts)
  .refine((name) => name !== 'ABCFavorit', 'Is not free: upload its files as a font of your own');

export const customizationGroups = groupsWith({ address: Url, emoji: storedEmoji, font: z.enum(siteFonts) });

/** The same in requests. */
export const givenGroups = groupsWith({ address: Shown, emoji: givenEmoji, font: givenFont });
export type GivenGroups = typeof givenGroups;
