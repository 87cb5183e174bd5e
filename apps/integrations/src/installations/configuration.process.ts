import { blaming, integrationBounds, type ConfigurationValues, type Principal } from '@scriptorium/contracts';
import type { Call, Scope } from '@scriptorium/platform';
import { canonical, isSame } from '../publishing/index.js';
import { configurations, partOf } from '../sealed/index.js';
import type { Configured } from './installation.js';
import { isOfIntegration } from './integration-caller.queries.js';
import type { Target } from './target-events.js';
import { changedByScript, changedByUser, seenByUser, setIn, type Declared } from './values.js';

/** Which configuration: of which installation, and of which space or site of it. */
export interface ConfigurationName {
  owner: string;
  target?: Target | undefined;
  /** What names the values; `null`: there are none yet. */
  version: string | null;
}

/** A configuration that is stored, and that no event names yet. */
export type NewConfiguration = Omit<Configured, 'status' | 'statusBefore'>;

/** The values of a configuration, all of them. */
export async function readConfiguration(
  scope: Pick<Scope, 'database' | 'keys'>,
  { owner, target, version }: ConfigurationName,
): Promise<ConfigurationValues> {
  if (version === null) return {};
  const text = await configurations.find(scope, { owner, part: partOf(target), version });
  return text === undefined ? {} : (JSON.parse(text) as ConfigurationValues);
}

/**
 * Stores a configuration that was changed, before the event that names it. A user replaces what users see of it; a
 * token of the integration replaces it as a whole. `undefined` when nothing changes.
 * @throws AppError `configuration_invalid`, `too_large`
 */
export async function configureBy(
  call: Call,
  name: ConfigurationName,
  declared: Declared,
  wanted: ConfigurationValues,
): Promise<NewConfiguration | undefined> {
  const before = await readConfiguration(call, name);
  const after = isOfIntegration(call.principal)
    ? changedByScript(declared, wanted)
    : changedByUser(declared, { before, wanted });
  if (isSame(before, after)) return undefined;
  const text = canonical(after);
  const { configurationBytes } = integrationBounds;
  if (Buffer.byteLength(text) > configurationBytes)
    throw blaming('too_large', 'body.configuration', `At most ${configurationBytes} bytes`);
  const { owner, target, version: previous } = name;
  const part = partOf(target);
  const version = call.idFor(`configuration of ${part}`);
  if (!call.store.dry) await configurations.add(call, { owner, part, version }, text);
  return { configuration: version, set: setIn(declared, after), previous };
}

/** The values of a configuration that a caller sees: the integration all of them, users what is meant for them. */
export function seenBy(caller: Principal, declared: Declared, values: ConfigurationValues): ConfigurationValues {
  return isOfIntegration(caller) ? values : seenByUser(declared, values);
}
