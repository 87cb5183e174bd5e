import { roleAtLeast, type Site, type SiteCustomization } from '@scriptorium/contracts';
import type { Level } from '@scriptorium/access';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { SiteDocument } from '../site/site.projection.js';

/** What every site can do. Installations have no plans: nothing is frozen. */
const featureIds = [
  'sites-adaptive-content',
  'sites-advanced-customization',
  'sites-basic-customization',
  'sites-custom-domain',
  'sites-custom-subdirectory',
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-no-custom-domain',
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
  'premium-fonts',
  'custom-icons',
  'footer-logo',
  'footer-links',
  'footer-copyright',
  'semantic-colors',
  'header-primary-link',
];

/** A site without what stands on it. */
export type ListedSite = Omit<SiteDocument, 'structure' | 'adaptiveSchema' | 'links'>;

/** What the document of a site does not have. */
export interface SiteView {
  /** The level of whoever is shown it. */
  level: Level;
  favicon: SiteCustomization['favicon'] | undefined;
  /** Where it is published. */
  address: string | undefined;
  /** Its address below the hostname of the organization, which a proxy has to ask. */
  internal: string;
  /** The text that verifies its hostname. */
  proof: string;
  urls: Scope['urls'];
}

export function renderSite(doc: Stored<ListedSite>, view: SiteView): Site {
  const { _id: id, organization, type, title, basename, proxy, visibility, published, createdAt } = doc;
  const { urls, address, internal } = view;
  return {
    object: 'site',
    id,
    type,
    title,
    ...(view.favicon?.icon === undefined ? {} : { icon: { icon: view.favicon.icon } }),
    ...hostnameOf(doc, view.proof),
    basename,
    ...(proxy === null ? {} : { proxy: { origin: proxy, target: internal } }),
    visibility,
    published,
    siteSpaces: doc.spaces.length,
    createdAt,
    adaptiveContent: { enabled: doc.adaptiveContent },
    agentsContext: doc.agentsContext,
    features: siteFeatures(),
    permissions: permissionsOf(view.level),
    urls: {
      location: `${urls.api}/orgs/${organization}/sites/${id}`,
      app: `${urls.app}/o/${organization}/sites/${id}`,
      ...(address === undefined ? {} : { published: address }),
    },
  };
}

type OwnHostname = Pick<Site, 'hostname' | 'hostnameStatus' | 'hostnameProof'>;

function hostnameOf({ hostname, isHostnameVerified }: ListedSite, proof: string): OwnHostname {
  if (hostname === null) return {};
  if (isHostnameVerified) return { hostname, hostnameStatus: 'active' };
  const hostnameProof = { type: 'TXT', name: proofNameOf(hostname), value: proof } as const;
  return { hostname, hostnameStatus: 'pending', hostnameProof };
}

/** The name of the DNS record that verifies a hostname. */
export function proofNameOf(hostname: string): string {
  return `_scriptorium-challenge.${hostname}`;
}

function permissionsOf(level: Level): Site['permissions'] {
  const [read, edit, create] = (['read', 'edit', 'create'] as const).map((least) => roleAtLeast(level, least));
  const admin = level === 'admin';
  return {
    view: read === true,
    access: read === true,
    edit: edit === true,
    create: create === true,
    admin,
    installIntegration: create === true,
    viewAdaptiveSchema: read === true,
    editAdaptiveSchema: admin,
  };
}

function siteFeatures(): Site['features'] {
  return featureIds.map((id) => ({
    id,
    plan: 'basic',
    frozen: false,
    customizations: id === 'sites-advanced-customization' ? [...customizations] : [],
  }));
}
