import { createHash } from 'node:crypto';

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

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
const stemLength = 20;
const digestLength = 10;
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes all addresses of integrations and what is installed of them. */
export class Addresses {
  readonly #api: string;
  readonly #app: string;
  readonly #content: string;
  readonly #public: string;

  constructor({ api, app, content, origin }: { api: string; app: string; content: string; origin: string }) {
    this.#api = api;
    this.#app = app;
    this.#content = content.replace(/\/$/, '');
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
    return `${this.#content}/integrations/${integration}/`;
  }

  /** Another image has another address. */
  image(integration: string, { hash, type }: { hash: string; type: string }): string {
    return `${this.assets(integration)}${hash}/image.${endings[type] ?? 'bin'}`;
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
    return this.#public.replace('*', labelOf(name));
  }

  /** A one-time address, which leads to another one. */
  callback(name: string, token: string): string {
    return `${this.#base(name)}/callbacks/${token}`;
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

/** A part of a host name that no other integration has. Hosts cannot have all characters of a name. */
function labelOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, stemLength)
    .replace(/^-+|-+$/g, '');
  const bytes = createHash('sha256').update(name).digest();
  const digest = Array.from(bytes.subarray(0, digestLength), (byte) => base32.charAt(byte % 32)).join('');
  return stem === '' ? digest : `${stem}-${digest}`;
}
