import { integrationAssetsUrl, integrationImageUrl, originOfIntegration } from '@scriptorium/platform';

/** What an address is of, within an integration. */
export interface Place {
  installation: string;
  target?: { kind: 'space' | 'site'; id: string } | undefined;
}

/** The addresses at which the script of an integration answers. */
export interface PublicEndpoints {
  publicEndpoint: string;
  publicContentEndpoint: string;
}

/** Makes all addresses of integrations and what is installed of them. */
export class Addresses {
  readonly #api: string;
  readonly #app: string;
  readonly #content: string;
  readonly #public: string;

  constructor({ api, app, content, origin }: { api: string; app: string; content: string; origin: string }) {
    this.#api = api;
    this.#app = app;
    this.#content = content;
    this.#public = origin.replace(/\/$/, '');
  }

  integration(name: string): { location: string; app: string } {
    return { location: `${this.#api}/integrations/${name}`, app: `${this.#app}/integrations/${name}` };
  }

  installation(name: string, id: string): { location: string; app: string } {
    const path = `integrations/${name}/installations/${id}`;
    return { location: `${this.#api}/${path}`, app: `${this.#app}/${path}` };
  }

  target(name: string, installation: string, { kind, id }: { kind: 'space' | 'site'; id: string }): string {
    return `${this.installation(name, installation).location}/${kind}s/${id}`;
  }

  /** The base of the addresses of the images of an integration. */
  assets(integration: string): string {
    return integrationAssetsUrl(this.#content, integration);
  }

  /** Another image has another address. */
  image(integration: string, image: { hash: string; type: string }): string {
    return integrationImageUrl(this.#content, integration, image);
  }

  /** Whether all integrations have the same origin. */
  get isShared(): boolean {
    return !this.#public.includes('*');
  }

  get isSecure(): boolean {
    return this.#public.startsWith('https:');
  }

  /** The origin at which the script of an integration answers. */
  origin(name: string): string {
    return originOfIntegration(this.#public, name);
  }

  /** A one-time address, which leads to another one. */
  callback(name: string, token: string): string {
    return `${this.#base(name)}/callbacks/${token}`;
  }

  /** Where an installation signs in the visitors of a site. */
  visitorLogin(name: string, installation: string, site: string): string {
    return `${this.#base(name)}/visitor-login/${installation}/${site}`;
  }

  #base(name: string): string {
    return `${this.origin(name)}/v1/integrations/${name}`;
  }

  /** Where the script answers: for the integration, or for an installation, on a space or site if one is named. */
  endpoints(name: string, place?: Place): PublicEndpoints {
    const base = this.#base(name);
    const content = `${base}/content`;
    if (place === undefined) return { publicEndpoint: `${base}/integration`, publicContentEndpoint: content };
    const { installation, target } = place;
    const end = target === undefined ? '' : `/${target.kind}s/${target.id}`;
    return { publicEndpoint: `${base}/installations/${installation}${end}`, publicContentEndpoint: content };
  }
}
