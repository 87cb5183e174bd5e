import * as z from 'zod';
import {
  devModeEndings,
  installationSelections,
  installationStatuses,
  integrationCategories,
  integrationScopes,
  integrationTargets,
  integrationVisibilities,
  pauseReasons,
} from './words.js';

/*
 * Events of integrations that other services may consume, as they are stored: additive only. Actor, time and
 * organization are metadata. Texts are those that the owner publishes about a product. Values of configurations and
 * secrets stand in no event: events name what is stored encrypted.
 */

const id = z.string();
const text = z.string();
const scopes = z.array(z.enum(integrationScopes));
/** SHA-256 of bytes, which names them in the pool of the integration. */
const hash = z.string();
const image = z.object({ hash, type: text });
const configuration = z.union([
  z.object({ componentId: text }),
  z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())), required: z.array(text) }),
]);

/** What is published of an integration. */
export const publishedSettings = {
  title: text,
  description: text,
  summary: text,
  runtime: z.enum(['v1', 'v2']),
  visibility: z.enum(integrationVisibilities),
  target: z.enum(integrationTargets),
  scopes,
  categories: z.array(z.enum(integrationCategories)),
  blocks: z.array(
    z.object({
      id,
      title: text,
      description: text.optional(),
      icon: text.optional(),
      urlUnfurl: z.array(text).optional(),
      markdown: z.object({ codeblock: text, body: text }).optional(),
    }),
  ),
  contentSources: z.array(
    z.object({
      id,
      title: text,
      description: text.optional(),
      icon: text.optional(),
      configuration: z.object({ componentId: text }),
    }),
  ),
  configurations: z.object({
    account: configuration.optional(),
    space: configuration.optional(),
    site: configuration.optional(),
  }),
  externalLinks: z.array(z.object({ url: text, label: text })),
  contentSecurityPolicy: z.union([text, z.record(z.string(), text)]).nullable(),
  script: hash,
  icon: image.nullable(),
  previews: z.array(image),
};

/** What an integration asks of its installations. `required`: properties of the account without a default. */
const demands = z.object({ scopes, required: z.array(text) });

/**
 * Stream `integrations.integration-<id>`: what is published under a name. The id is random: a name that is taken again
 * is another integration.
 */
export const integrationEventSchemas = {
  /**
   * A version is published. All installations have it from here on. `secrets`: names what is stored encrypted.
   * `replacedSecrets`: what named those of the version before, if they were others.
   */
  IntegrationPublished: z.object({
    name: text,
    version: z.int(),
    organization: id,
    ...publishedSettings,
    secrets: id.nullable(),
    replacedSecrets: id.nullable(),
  }),
  /**
   * The version that was just published asks its installations for something else than the one before: for other
   * scopes, or other properties. What they lack makes them `pending`.
   */
  IntegrationDemandsChanged: z.object({ demands, before: demands }),
  /** Nothing of it works any more, and all installations end. The name is free. */
  IntegrationUnpublished: z.object({ name: text }),
  /** Of what was unpublished, all installations have ended, and its script and secrets are removed. */
  IntegrationRemoved: z.object({}),
  /** It signs with other keys. Tokens that it has are refused. `generation`: how often that has happened. */
  IntegrationSigningRotated: z.object({ generation: z.int() }),
  /**
   * What would be sent to its script is sent to its developer, for installations of its owner, or for `all`. The
   * address is stored encrypted. `until`: ISO 8601.
   */
  DevModeEnabled: z.object({ name: text, all: z.boolean(), until: text }),
  DevModeEnded: z.object({ name: text, reason: z.enum(devModeEndings) }),
};

const selection = z.enum(installationSelections);
const status = z.enum(installationStatuses);
/** What the status was until then; `null` where it was not recorded. */
const statusBefore = status.nullable().default(null);
/**
 * `configuration`: names the values, which are stored encrypted. `set`: the declared properties that have one.
 * `previous`: what it replaces.
 */
const configured = { configuration: id, set: z.array(text), previous: id.nullable(), status, statusBefore };

/** Stream `integrations.installations-<organization>`: which integrations an organization has installed. */
export const installationsEventSchemas = {
  IntegrationInstalled: z.object({
    installation: id,
    integration: id,
    name: text,
    version: z.int(),
    grantedScopes: scopes,
    spaceSelection: selection,
    siteSelection: selection,
    configuration: id.nullable(),
    set: z.array(text),
    externalIds: z.array(text),
    status,
  }),
  IntegrationUninstalled: z.object({
    installation: id,
    integration: id,
    reason: z.enum(['uninstalled', 'unpublished', 'organization_deleted']),
  }),
  /** The organization was deleted, and nothing is installed in it any more. */
  InstallationsClosed: z.object({}),
};

/** Stream `integrations.installation-<id>`: what changes in an installation. It begins with what was installed. */
export const installationEventSchemas = {
  InstallationConfigured: z.object(configured),
  InstallationExternalIdsChanged: z.object({ externalIds: z.array(text) }),
  /** What is left out stays as it was. */
  InstallationSelectionChanged: z.object({ spaceSelection: selection.optional(), siteSelection: selection.optional() }),
  /** The installation allows what this version asks for. */
  InstallationScopesGranted: z.object({ scopes, version: z.int(), status, statusBefore }),
  /** Nothing is delivered to it, and its tokens are refused. */
  InstallationPaused: z.object({ reason: z.enum(pauseReasons) }),
  InstallationResumed: z.object({ status }),
  /** It signs with other keys. Tokens that it has are refused. `generation`: how often that has happened. */
  InstallationSigningRotated: z.object({ generation: z.int() }),
  SpaceInstallationAdded: z.object({ space: id }),
  SpaceInstallationConfigured: z.object({ space: id, ...configured }),
  SpaceInstallationExternalIdsChanged: z.object({ space: id, externalIds: z.array(text) }),
  SpaceInstallationRemoved: z.object({ space: id }),
  SiteInstallationAdded: z.object({ site: id }),
  SiteInstallationConfigured: z.object({ site: id, ...configured }),
  SiteInstallationExternalIdsChanged: z.object({ site: id, externalIds: z.array(text) }),
  SiteInstallationRemoved: z.object({ site: id }),
};
