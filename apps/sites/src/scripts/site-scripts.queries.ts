import { activeInstallations, type IntegrationReachDocument } from '@scriptorium/access';
import { policyText, type IntegrationScope, type PublishedContentSite } from '@scriptorium/contracts';
import { keyed, publishedScriptUrl, type Scope } from '@scriptorium/platform';
import { installationValues, integrationScripts } from './script-sources.projections.js';

type SiteScript = PublishedContentSite['scripts'][number];

const injects: IntegrationScope = 'site:script:inject';
const setsCookies: IntegrationScope = 'site:script:cookies';

/** Makes the addresses of scripts for the pages of sites. */
export class SiteScripts {
  readonly #origin: string;

  /** `origin`: the setting `INTEGRATIONS_ORIGIN`. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The scripts that integrations put on the pages of a site, in the order of their names. */
  async of(
    { store }: Pick<Scope, 'store'>,
    { id: site, organization }: { id: string; organization: string },
  ): Promise<SiteScript[]> {
    const need = { scope: injects, target: { kind: 'site', id: site } } as const;
    const here = await activeInstallations(store, organization, need);
    if (here.length === 0) return [];
    const [sources, values] = await Promise.all([
      store.read(integrationScripts).byIds(here.map(({ reach }) => reach.integration)),
      store.read(installationValues).byIds(here.map(({ id }) => id)),
    ]);
    const [sourceOf, valuesOf] = [keyed(sources), keyed(values)];
    const scripts = here.flatMap(({ id: installation, reach, integration }) => {
      const source = sourceOf.get(reach.integration);
      if (source === undefined) return [];
      const { configuration = null, sites = [] } = valuesOf.get(installation) ?? {};
      const own = sites.find((one) => one.site === site);
      if (!source.required.every((name) => own?.set.includes(name))) return [];
      const configurations = [configuration, own?.configuration ?? null];
      const { name, version } = integration;
      const script = { name, version, installation, site, configurations };
      return [{ name, shown: this.#shown(script, source, integration) }];
    });
    return scripts.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ shown }) => shown);
  }

  #shown(
    script: Parameters<typeof publishedScriptUrl>[1],
    { policy }: { policy: Parameters<typeof policyText>[0] },
    { scopes }: Pick<IntegrationReachDocument, 'scopes'>,
  ): SiteScript {
    const contentSecurityPolicy = policyText(policy);
    return {
      script: publishedScriptUrl(this.#origin, script),
      ...(contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy }),
      cookies: scopes.includes(setsCookies),
    };
  }
}
