import type { Site } from '@scriptorium/contracts';

/** What every site can do. Installations have no plans: nothing is frozen. */
const ids = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-page-feedback',
  'sites-page-traffic-insights',
  'sites-preview-deployments',
  'sites-public-visibility',
  'sites-redirects',
  'sites-search-insights',
  'sites-sections',
  'sites-seo',
  'sites-share-links',
  'sites-unlisted-visibility',
  'sites-visitor-authentication',
] as const;

/** What of the look of a site can be chosen besides its colors. */
const customizations = [
  'header-logo',
  'theme-preset',
  'custom-icons',
  'footer-logo',
  'footer-links',
  'footer-copyright',
  'semantic-colors',
  'header-primary-link',
];

export function siteFeatures(): Site['features'] {
  return ids.map((id) => ({
    id,
    plan: 'basic',
    frozen: false,
    customizations: id === 'sites-advanced-customization' ? [...customizations] : [],
  }));
}
