import {
  blaming,
  AppError,
  type Completion,
  type ConfigurationProperty,
  integrationBounds,
  type InputOf,
  type listConfigurationCompletions,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import * as z from 'zod';
import type { Addresses } from '../addresses/index.js';
import type { CallScript } from '../dispatch/index.js';
import { declaredBy, type FoundInstallation, type Target } from '../installations/index.js';
import { isSelected } from '../targets/index.js';

type Query = InputOf<typeof listConfigurationCompletions>['query'];

const Option = z.union([
  z.string().transform((id) => ({ id, label: id })),
  z.object({ id: z.string(), label: z.string() }),
  z.object({ value: z.string(), label: z.string() }).transform(({ value, label }) => ({ id: value, label })),
]);
const withinMs = 10_000;
const backMs = 500;

/**
 * Asks the script of an integration what it proposes for a property of a configuration, at the address that the
 * property declares. So no open address has to tell it.
 * @throws AppError `not_found` that names the field of the query, and what `CallScript` refuses with
 */
export async function completionsFor(
  call: Call,
  { addresses, script, now }: { addresses: Addresses; script: CallScript; now: () => number },
  found: FoundInstallation,
  query: Query,
): Promise<Completion[]> {
  const { installation, integration } = found;
  const target = targetIn(found, query);
  const url = addressOf(addresses, found, target, query);
  const user = call.principal.kind === 'user' ? call.principal.id : undefined;
  let options: Completion[] | undefined;
  await script.run({
    integration: integration._id,
    installation: installation._id,
    organization: installation.organization,
    target,
    type: 'fetch',
    event: {
      ...(user === undefined ? {} : { auth: { userId: user } }),
      request: { method: 'get', url, headers: { accept: 'application/json' } },
    },
    deadlineMs: Math.max(1, Math.min(withinMs, call.deadline - now() - backMs)),
    repeat: 'alone',
    user,
    refuses: ({ body }) => {
      options = optionsIn(body);
      const message = 'The script has not answered with a list of options';
      return options === undefined ? new AppError('integration_failed', [], { message }) : undefined;
    },
  });
  return options ?? [];
}

function targetIn(found: FoundInstallation, { space, site }: Query): Target | null {
  if (space !== undefined && site !== undefined)
    throw blaming('invalid_request', 'query.site', 'Name a space or a site, not both');
  const target: Target | null =
    space !== undefined ? { kind: 'space', id: space } : site !== undefined ? { kind: 'site', id: site } : null;
  if (target !== null && !isSelected(found, target))
    throw blaming('not_found', `query.${target.kind}`, 'The integration is not installed there');
  return target;
}

/** The address below that of the installation. One on another host is not asked: the request has no token. */
function addressOf(
  addresses: Addresses,
  { installation, integration }: FoundInstallation,
  target: Target | null,
  { property, search }: Query,
): string {
  const declared = declaredBy(integration, target?.kind ?? 'account');
  const properties = declared !== undefined && 'properties' in declared ? declared.properties : {};
  const found = Object.hasOwn(properties, property) ? properties[property] : undefined;
  const path = found?.type === 'string' ? found.completion_url : undefined;
  if (path === undefined) throw nothingProposed(properties);
  const place = { installation: installation._id, target: target ?? undefined };
  const { publicEndpoint } = addresses.endpoints(integration.name, place);
  const url = new URL(`${publicEndpoint}/${path.replace(/^\/+/, '')}`);
  if (!url.href.startsWith(`${publicEndpoint}/`))
    throw blaming('not_found', 'query.property', 'What proposes something is not below the address of the integration');
  if (search !== undefined) url.searchParams.set('search', search);
  return url.href;
}

function nothingProposed(properties: Readonly<Record<string, ConfigurationProperty>>): AppError {
  const names = Object.entries(properties).flatMap(([name, one]) =>
    one.type === 'string' && one.completion_url !== undefined ? [name] : [],
  );
  const known = names.length === 0 ? 'there is none with proposals' : `those that have: ${names.join(', ')}`;
  return blaming('not_found', 'query.property', `Nothing is proposed for this property; ${known}`);
}

/** The options of a list, without what is none; `undefined` for what is no list. */
function optionsIn(body: Uint8Array): Completion[] | undefined {
  const list = z.array(z.unknown()).safeParse(jsonIn(body));
  if (!list.success) return undefined;
  return list.data
    .flatMap((one) => {
      const option = Option.safeParse(one);
      return option.success ? [option.data] : [];
    })
    .slice(0, integrationBounds.completions);
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
