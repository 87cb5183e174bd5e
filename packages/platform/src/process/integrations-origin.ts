import { createHash } from 'node:crypto';
import * as z from 'zod';

/** The setting `INTEGRATIONS_ORIGIN`, for the services that make addresses of integrations. */
export const integrationsOrigin = z
  .string()
  .regex(
    /^https?:\/\/(\*\.)?[^/?#@*]+\/?$/,
    'Must be an origin, without a path, such as https://*.integrations.example.org',
  )
  .default('http://*.integrations.localhost:8083')
  .describe(
    'Base of the public addresses of integrations, `urls.publicEndpoint`. `*` stands for a name that is different for each; without it all share one origin',
  );

/** The origin at which the script of an integration answers. `base`: the setting `INTEGRATIONS_ORIGIN`. Pure. */
export function originOfIntegration(base: string, name: string): string {
  return base.replace(/\/$/, '').replace('*', labelOf(name));
}

const imageEndings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The base of the addresses of the images of an integration. `content`: `CONTENT_ORIGIN`. Pure. */
export function integrationAssetsUrl(content: string, integration: string): string {
  return `${content.replace(/\/$/, '')}/integrations/${integration}/`;
}

/** The address of an image of an integration, by its id. Another image has another address. Pure. */
export function integrationImageUrl(
  content: string,
  integration: string,
  { hash, type }: { hash: string; type: string },
): string {
  return `${integrationAssetsUrl(content, integration)}${hash}/image.${imageEndings[type] ?? 'bin'}`;
}

/** A script of an installation on a site, and what its text depends on. */
export interface PublishedScript {
  /** The name of the integration. */
  name: string;
  /** The version of the integration. */
  version: number;
  installation: string;
  site: string;
  /** What names the values of the installation, and of the site; `null` without any. */
  configurations: readonly (string | null)[];
}

const digestOfConfigurations = 12;

/**
 * The address of a script that is shown on a site. It changes with what the text of the script depends on, so that what
 * it says may be kept for long. Pure.
 */
export function publishedScriptUrl(base: string, script: PublishedScript): string {
  const { name, installation, site } = script;
  const origin = originOfIntegration(base, name);
  return `${origin}/v1/integrations/${name}/script/${installation}/${site}/${publishedScriptVersion(script)}.js`;
}

/** The last part of that address, without its ending. Pure. */
export function publishedScriptVersion({
  version,
  configurations,
}: Pick<PublishedScript, 'version' | 'configurations'>): string {
  const of = createHash('sha256').update(JSON.stringify(configurations)).digest('base64url');
  return `${version}-${of.slice(0, digestOfConfigurations)}`;
}

const stemLength = 20;
const digestLength = 10;
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

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
