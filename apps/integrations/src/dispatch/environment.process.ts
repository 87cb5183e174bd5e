import { installationReach, integrationReach, requiredIn, tokenGeneration } from '@scriptorium/access';
import type { ConfigurationValues, InstallationStatus } from '@scriptorium/contracts';
import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import { signingSecret, type ServiceContext } from '@scriptorium/platform';
import type { Addresses } from '../addresses/index.js';
import {
  declaredBy,
  entryKey,
  installations,
  readConfiguration,
  seenByUser,
  statusOf,
  targetEntries,
  type StoredInstallation,
  type Target,
} from '../installations/index.js';
import { lastInstallations, lastIntegrations, targetKey, type LastInstallationDocument } from '../outbox/index.js';
import { integrations, renderIntegration, type Published } from '../publishing/index.js';
import { secrets } from '../sealed/index.js';
import { tokenOfInstallation, tokenOfIntegration } from '../tokens/index.js';

/** For what a script is called. */
export interface CalledFor {
  integration: string;
  /** `null`: for the integration as such. */
  installation: string | null;
  target: Target | null;
}

/** A version whose script is called. */
type Called = Stored<Published>;

/** What a script knows when it is called. */
export interface Facts {
  integration: Called;
  /** `null` for an installation that has ended, or none. */
  installation: StoredInstallation | null;
  last: LastInstallationDocument | null;
  /** The status of the installation, and of what it has on the space or site. */
  status: InstallationStatus;
  targetStatus: InstallationStatus;
  environment: object;
  /** The secret of the narrowest of those for whom it is called. */
  signing: string;
}

type Parts = { context: ServiceContext; store: StoreScope; addresses: Addresses };

/**
 * Reads what a script is called with; `undefined` when the integration, or all of the installation, is not there. An
 * installation that has ended with its integration is told so by the last version.
 */
export async function readFacts(parts: Parts, called: CalledFor): Promise<Facts | undefined> {
  const { store } = parts;
  const { installation: id } = called;
  const [published, installation, last, reaches] = await Promise.all([
    store.read(integrations).byId(called.integration),
    id === null ? null : store.read(installations).byId(id),
    id === null ? null : store.read(lastInstallations).byId(id),
    reachesOf(parts, called),
  ]);
  const hasEnded = id !== null && installation === null;
  const integration = published ?? (hasEnded ? await store.read(lastIntegrations).byId(called.integration) : null);
  if (integration === null || (hasEnded && last === null)) return undefined;
  const status = installation === null ? 'active' : statusOf({ installation, integration });
  const known = { integration, installation, last, status };
  const [on, account, values] = await Promise.all([
    targetPart(parts, known, called),
    installationPart(parts, known, called),
    secretsOf(parts, integration),
  ]);
  const signing = signingOf(parts, called, reaches);
  const environment = {
    integration: renderIntegration(integration, parts.addresses, false),
    ...account,
    ...(on === undefined || called.target === null ? {} : { [`${called.target.kind}Installation`]: on.shown }),
    secrets: values,
    signingSecrets: signing.all,
    signingSecret: signing.narrowest,
    apiEndpoint: parts.context.urls.api.replace(/\/v1$/, ''),
    ...tokensFor(parts, called, reaches),
  };
  return { ...known, targetStatus: on?.status ?? status, environment, signing: signing.narrowest };
}

/** All values of a configuration, those that only the script writes and what is declared as a default included. */
export async function wholeConfiguration(
  { context }: Pick<Parts, 'context'>,
  integration: Called,
  { owner, target, version }: { owner: string; target?: Target | undefined; version: string | null },
): Promise<ConfigurationValues> {
  const values = await readConfiguration(context, { owner, target, version });
  return { ...seenByUser(declaredBy(integration, target?.kind ?? 'account'), values), ...values };
}

type Known = Pick<Facts, 'integration' | 'installation' | 'last' | 'status'>;

async function installationPart(
  parts: Parts,
  { integration, installation, last, status }: Known,
  { installation: id }: CalledFor,
): Promise<{ installation?: object }> {
  if (id === null) return {};
  const one = installation ?? last;
  const { name } = integration;
  const shown = {
    id,
    status,
    space_selection: installation?.spaceSelection ?? 'selected',
    site_selection: installation?.siteSelection ?? 'selected',
    configuration: await wholeConfiguration(parts, integration, { owner: id, version: one?.configuration ?? null }),
    createdAt: one?.createdAt,
    updatedAt: one?.updatedAt,
    externalIds: [...(one?.externalIds ?? [])],
    urls: {
      ...parts.addresses.installation(name, id),
      ...parts.addresses.endpoints(name, { installation: id }),
    },
    target: { organization: one?.organization },
  };
  return { installation: shown };
}

async function targetPart(
  parts: Parts,
  { integration, last }: Known,
  { installation: id, target }: CalledFor,
): Promise<{ status: InstallationStatus; shown: object } | undefined> {
  if (target === null || id === null) return undefined;
  const entry = await parts.store.read(targetEntries).byId(entryKey(id, target));
  const version = entry?.configuration ?? last?.targets[targetKey(target)] ?? null;
  const required = requiredIn(integration.configurations[target.kind]);
  const status = required.every((name) => entry?.set.includes(name)) ? 'active' : 'pending';
  const shown = {
    integration: integration.name,
    installation: id,
    [target.kind]: target.id,
    status,
    configuration: await wholeConfiguration(parts, integration, { owner: id, target, version }),
    externalIds: [...(entry?.externalIds ?? [])],
    urls: {
      location: parts.addresses.target(integration.name, id, target),
      ...parts.addresses.endpoints(integration.name, { installation: id, target }),
    },
  };
  return { status, shown };
}

async function secretsOf({ context }: Parts, { _id: owner, secrets: version }: Called): Promise<object> {
  if (version === null) return {};
  const text = await secrets.find(context, { owner, version });
  return text === undefined ? {} : (JSON.parse(text) as object);
}

type Reaches = Awaited<ReturnType<typeof reachesOf>>;

async function reachesOf({ store }: Parts, { integration, installation }: CalledFor) {
  const [published, reach] = await Promise.all([
    store.read(integrationReach).byId(integration),
    installation === null ? null : store.read(installationReach).byId(installation),
  ]);
  return { published, reach };
}

/** Tokens with which the script asks the API. That of an installation which has ended is refused. */
function tokensFor({ context }: Parts, { integration, installation }: CalledFor, { published, reach }: Reaches) {
  const generation = published?.generation ?? 0;
  const own = tokenOfIntegration(context, { integration, generation });
  if (published === null || reach === null || installation === null)
    return { apiTokens: { integration: own }, authToken: own };
  const { organization } = reach;
  const of = { integration, installation, organization, generation: tokenGeneration(reach, published) };
  const token = tokenOfInstallation(context, of);
  return { apiTokens: { integration: own, installation: token }, authToken: token };
}

function signingOf(
  { context: { keys } }: Parts,
  { integration, installation, target }: CalledFor,
  { published, reach }: Reaches,
): { all: Record<string, string>; narrowest: string } {
  const generation = reach?.signing.generation ?? 0;
  const ofIntegration = signingSecret(keys, { owner: integration, generation: published?.generation ?? 0 });
  if (installation === null) return { all: { integration: ofIntegration }, narrowest: ofIntegration };
  const own = signingSecret(keys, { owner: installation, generation });
  const all = { integration: ofIntegration, installation: own };
  if (target === null) return { all, narrowest: own };
  const narrowest = signingSecret(keys, { owner: installation, target: target.id, generation });
  return { all: { ...all, [`${target.kind}Installation`]: narrowest }, narrowest };
}
