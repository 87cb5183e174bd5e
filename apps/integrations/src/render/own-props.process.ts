import type { Principal } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import {
  declaredBy,
  entryKey,
  readConfiguration,
  seenByUser,
  showInstallations,
  targetEntries,
} from '../installations/index.js';
import type { Showing } from '../publishing/index.js';
import { showTargets } from '../targets/index.js';
import type { RenderPlace } from './render-place.queries.js';

/** What the service says of an installation to a component that configures it. */
export interface OwnProps {
  /** As the script gets it: with the whole configuration. */
  forScript: Readonly<Record<string, object>>;
  /** As the caller sees it, by the same names. */
  forCaller: Readonly<Record<string, object>>;
}

/** The names of props that the service fills in; what clients send under them is ignored. */
export const ownNames = ['installation', 'spaceInstallation', 'siteInstallation'] as const;

/** What the service fills in for a component: nothing for one that configures nothing. */
export async function readOwnProps(
  scope: Scope,
  showing: Showing,
  caller: Principal,
  place: RenderPlace,
): Promise<OwnProps> {
  const { installation, integration, target, isConfiguration } = place;
  if (!isConfiguration) return { forScript: {}, forCaller: {} };
  const [shown = {}] = await showInstallations(scope, showing, caller, [place]);
  const { _id: owner, configuration: version } = installation;
  const all = { ...shown, configuration: await whole(scope, place, { owner, version }) };
  if (target === null) return { forScript: { installation: all }, forCaller: { installation: shown } };
  const name = `${target.kind}Installation`;
  const on = { installation, integration, target };
  const [seen = {}] = await showTargets(scope, showing, caller, [on]);
  const entry = await scope.store.read(targetEntries).byId(entryKey(owner, target));
  const named = { ...seen, [target.kind]: target.id };
  const configuration = await whole(scope, place, { owner, target, version: entry?.configuration ?? null });
  return {
    forScript: { installation: all, [name]: { ...named, configuration } },
    forCaller: { installation: shown, [name]: named },
  };
}

async function whole(
  scope: Scope,
  { integration }: RenderPlace,
  name: Parameters<typeof readConfiguration>[1],
): Promise<object> {
  const values = await readConfiguration(scope, name);
  return { ...seenByUser(declaredBy(integration, name.target?.kind ?? 'account'), values), ...values };
}
