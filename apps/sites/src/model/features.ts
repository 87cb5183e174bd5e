import type { Site } from '@scriptorium/contracts';

/** What every site can do. Installations have no plans: nothing is frozen. */
const ids = [
  'sites-adaptive-content',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-subdirectory',
  'sites-multivariant-site',
  'sites-public-visibility',
  'sites-redirects',
  'sites-sections',
  'sites-share-links',
  'sites-unlisted-visibility',
] as const;

export function siteFeatures(): Site['features'] {
  return ids.map((id) => ({ id, plan: 'basic', frozen: false, customizations: [] }));
}
