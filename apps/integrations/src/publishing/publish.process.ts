import { organizationFacts, type Place, type ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  blaming,
  integrationBounds,
  lacksLevel,
  type InputOf,
  type publishIntegration,
} from '@scriptorium/contracts';
import { compiledModule, workerTask, type Call } from '@scriptorium/platform';
import { secrets } from '../sealed/index.js';
import { hashOf, type AssetStore } from './asset-store.process.js';
import type { Published, Wanted } from './integration.events.js';
import { canonical, integration, publish } from './integration.js';
import { countOwned, findByKey } from './integrations.queries.js';
import { readImages } from './images.process.js';
import { integrationNames } from './names.reservation.js';
import type { checkScript } from './script.task.js';

type Body = InputOf<typeof publishIntegration>['body'];

const checkTask = workerTask<typeof checkScript>({
  name: 'check_script',
  module: compiledModule('./script.task.js', import.meta.url),
  run: 'checkScript',
  withinMs: 5_000,
  tooCostly: () => blaming('invalid_request', 'body.script', 'The script takes too long to parse'),
});

/**
 * Publishes an integration, or a new version of it. Bytes and secrets are stored before the event that names them.
 * @throws AppError `organization_not_found`, `forbidden`, `sso_required`, `name_taken`, `limit_reached`, and what names
 * a field of the body
 */
export async function publishFor(
  call: Call,
  { access, assets }: { access: ServiceAccess; assets: AssetStore },
  name: string,
  body: Body,
): Promise<string> {
  const { organization } = await requirePublisher(call, access, body.organization);
  const present = await findByKey(call, name);
  if (present !== null && (present.organization !== organization || present.name !== name)) throw nameTaken();
  const script = Buffer.from(body.script);
  if (script.length > integrationBounds.scriptBytes)
    throw blaming('too_large', 'body.script', `At most ${integrationBounds.scriptBytes} bytes`);
  await call.workers.run(checkTask, body.script, { deadline: call.deadline });
  const { icon, previews } = await readImages(body);
  const id = present?._id ?? call.idFor('integration');
  const bytes = new Map([
    [hashOf(script), script as Uint8Array],
    ...[...(icon === null ? [] : [icon]), ...previews].map((one) => [one.hash, one.bytes] as const),
  ]);
  if (!call.store.dry) await assets.keep(id, bytes, present === null ? [] : assetsOf(present));
  const wanted = {
    ...settingsOf(body),
    name,
    organization,
    script: hashOf(script),
    icon: icon === null ? null : { hash: icon.hash, type: icon.type },
    previews: previews.map(({ hash, type }) => ({ hash, type })),
    secrets: await keepSecrets(call, { id, present: present?.secrets ?? null, given: body.secrets }),
  };
  await record(call, { id, isNew: present === null }, wanted);
  return id;
}

/** The hashes of the bytes that a version has. */
export function assetsOf({ script, icon, previews }: Pick<Published, 'script' | 'icon' | 'previews'>): string[] {
  return [script, ...(icon === null ? [] : [icon.hash]), ...previews.map(({ hash }) => hash)];
}

async function record(call: Call, { id, isNew }: { id: string; isNew: boolean }, wanted: Wanted): Promise<void> {
  const { organization, name } = wanted;
  const store = call.store.in(organization);
  const append = () => store.handle(integration, id, (state) => publish(state, wanted));
  if (!isNew) return void (await append());
  const limit = 'integrationsPerOrganization';
  const look = async () => ({ present: await countOwned(call, organization), more: 1 });
  let isAppending = false;
  try {
    await call.quotas.within({ limit, of: organization, most: 1, look }, () =>
      store.reserve(integrationNames, { value: name, owner: id }, () => {
        isAppending = true;
        return append();
      }),
    );
  } catch (error) {
    if (!isAppending && error instanceof AppError && error.reason === 'already_exists') throw nameTaken();
    throw error;
  }
}

async function requirePublisher(call: Call, access: ServiceAccess, named: string): Promise<Place> {
  const field = 'body.organization';
  const facts = call.store.read(organizationFacts);
  const found = (await facts.byId(named)) ?? (await facts.findOne({ hostname: named.toLowerCase(), deleted: false }));
  const place = found === null ? null : await access.placeIn(call, found._id, call.principal);
  if (place === null)
    throw blaming('organization_not_found', field, 'There is no such organization, or you may not see it');
  if (place.withoutSSO) throw new AppError('sso_required');
  if (place.role !== 'admin') throw lacksLevel('admin', 'organization', field);
  return place;
}

/** What a body says of the integration as it is, without what is stored elsewhere. */
function settingsOf(body: Body): Omit<Wanted, 'name' | 'organization' | 'script' | 'icon' | 'previews' | 'secrets'> {
  const { title, description, summary, runtime, visibility, target, scopes, categories } = body;
  const { blocks, contentSources, configurations, externalLinks, contentSecurityPolicy = null } = body;
  const texts = { title, description, summary, externalLinks };
  const kinds = { runtime, visibility, target, scopes: unique(scopes), categories: unique(categories) };
  const more = { blocks, contentSources, configurations: withRequired(configurations), contentSecurityPolicy };
  // As it is stored: without fields that are undefined.
  return JSON.parse(JSON.stringify({ ...texts, ...kinds, ...more })) as ReturnType<typeof settingsOf>;
}

/** What does not say that something is required requires nothing. */
function withRequired(configurations: Body['configurations']): Published['configurations'] {
  const { account, space, site } = configurations;
  return Object.fromEntries(
    Object.entries({ account, space, site }).flatMap(([name, one]) =>
      one === undefined
        ? []
        : [[name, 'properties' in one ? { properties: one.properties, required: unique(one.required ?? []) } : one]],
    ),
  );
}

function unique<T>(all: readonly T[]): T[] {
  return [...new Set(all)];
}

/** Stores secrets, unless they are those that the integration has. What names them; `null` for none. */
async function keepSecrets(
  call: Call,
  { id: owner, present, given }: { id: string; present: string | null; given: Body['secrets'] },
): Promise<string | null> {
  if (given === undefined) return present;
  if (Object.keys(given).length === 0) return null;
  const text = canonical(given);
  if (present !== null && (await secrets.find(call, { owner, version: present })) === text) return present;
  const version = call.idFor('secrets');
  if (!call.store.dry) await secrets.add(call, { owner, version }, text);
  return version;
}

function nameTaken(): AppError {
  return blaming('name_taken', 'params.integrationName');
}
