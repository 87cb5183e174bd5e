import { defaultSiteStyling, type SiteCustomization } from '@scriptorium/contracts';

/** What the reader takes for a part of a look that it is not told: nothing that a service would have to know of. */
const standard: Omit<SiteCustomization, 'title'> = {
  styling: defaultSiteStyling,
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  announcement: { enabled: false, message: '', style: 'info' },
  themes: { default: 'light', toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: false, mcp: false },
  externalLinks: { target: 'self' },
  pagination: { enabled: false },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
  embeds: { hosts: [] },
};

/**
 * A look with all its parts. While an installation is upgraded, the reader may be newer than the service that answers,
 * which then leaves out what it does not know yet.
 */
export function wholeLook(given: SiteCustomization): SiteCustomization {
  const told: Readonly<Record<string, unknown>> = given;
  const groups = Object.entries(standard).map(([name, group]) => [name, { ...group, ...(told[name] as object) }]);
  return { ...given, ...(Object.fromEntries(groups) as Partial<SiteCustomization>) };
}
