import { allowedSince, installedIntegrations, isActiveFor, reachedSince } from '@scriptorium/access';
import type { ContentReference } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { canonical, nameOfText } from '@scriptorium/tree';
import { findNode, findSpecHead } from '../../library/index.js';
import { branches, type FileRecord, type ContentTree, keys, type Page } from '../../versions/index.js';

/** A change of how pages are made of what scripts answer changes all seeds. */
const version = 1;
/** What a script is given says what is in the space. */
const scopeOfSources = 'space:content:read';
const form = /^integration:([^:]+):([^:]+)$/;

/** Where a source is that the script of an integration computes. */
export interface ScriptedPlace {
  organization: string;
  space: string;
  /** The branch that the content is of, as it is now; `null` for that of an older revision. */
  branch: string | null;
  tree: ContentTree;
}

/** Something that a source depends on, as scripts get it; `value` is `null` for what is not there. */
interface Dependency {
  ref: ContentReference;
  value: Record<string, unknown> | null;
}

/** A source that the script of an integration computes, as it is now. */
export interface ScriptedSource {
  page: Page;
  type: string;
  /** The name of the integration, its version, and the id of its source. */
  integration: string;
  version: number;
  sourceId: string;
  /** Whether the script can be asked: the integration is neither paused, nor does it wait for a setting. */
  isActive: boolean;
  props: Record<string, unknown>;
  dependencies: Record<string, Dependency>;
  /** Names the source, whatever it depends on. */
  source: string;
  /** Differs when the integration, the source or something that it depends on does. */
  seed: string;
}

/** Whether something is computed by the script of an integration. */
export function isScripted(type: string): boolean {
  return form.test(type);
}

/**
 * The source of a page; `undefined` unless the integration is installed on the space and may read its content there.
 */
export async function scriptedSourceOf(
  scope: Pick<Scope, 'store'>,
  place: ScriptedPlace,
  page: Page,
): Promise<ScriptedSource | undefined> {
  const { type = '', props = {}, dependencies: declared = {} } = page.computed ?? {};
  const [, integration = '', sourceId = ''] = form.exec(type) ?? [];
  const found = await findInstalled(scope, place, integration);
  if (found === undefined) return undefined;
  const dependencies: Record<string, Dependency> = {};
  const versions: unknown[] = [];
  for (const [name, { ref }] of Object.entries<{ ref: ContentReference }>(declared)) {
    const { value, of } = await valueOf(scope, place, found, ref);
    dependencies[name] = { ref, value };
    versions.push([name, of]);
  }
  const source = shortHash([type, { ...props }, { ...declared }]);
  const seed = shortHash([version, found.id, found.version, source, versions]);
  const { isActive, version: ofIntegration } = found;
  return {
    ...{ page, type, integration, version: ofIntegration, sourceId, isActive },
    ...{ props: { ...props }, dependencies, source, seed },
  };
}

/** The name of an installed integration that has other capitals than this one. */
export async function otherCapitals(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  name: string,
): Promise<string | undefined> {
  const found = await installedIntegrations(store, organization);
  const names = found.map(({ integration }) => integration.name);
  return names.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
}

interface Installed {
  id: string;
  version: number;
  isActive: boolean;
  reaches(space: string): boolean;
}

async function findInstalled(
  { store }: Pick<Scope, 'store'>,
  { organization, space }: ScriptedPlace,
  name: string,
): Promise<Installed | undefined> {
  const need = { scope: scopeOfSources, target: { kind: 'space', id: space } } as const;
  const installed = await installedIntegrations(store, organization, need.scope);
  const one = installed.find(({ integration }) => integration.name === name);
  if (one === undefined || allowedSince(one, need) === null) return undefined;
  const { reach, integration } = one;
  return {
    id: reach.integration,
    version: integration.version,
    isActive: isActiveFor(one, need),
    reaches: (id) => reachedSince(reach, { kind: 'space', id }) !== null,
  };
}

/** What a script gets of something that its source depends on, and what differs when that does. */
async function valueOf(
  scope: Pick<Scope, 'store'>,
  { organization, tree }: ScriptedPlace,
  installed: Installed,
  ref: ContentReference,
): Promise<{ value: Dependency['value']; of: unknown }> {
  const nothing = { value: null, of: null };
  if (ref.kind === 'openapi') {
    const head = await findSpecHead(scope, organization, ref.spec);
    if (head === undefined) return nothing;
    const { spec: id, slug, version: lastVersion, document } = head;
    return { value: { object: 'openapi-spec', id, slug, lastVersion }, of: [id, document] };
  }
  if (ref.kind === 'file' && ref.space === undefined) {
    const file = (await tree.get(keys.file(ref.file))) as FileRecord | undefined;
    if (file === undefined) return nothing;
    return { value: { object: 'file', id: ref.file, name: file.name }, of: [file.name, file.hash] };
  }
  if (ref.kind !== 'space' || !installed.reaches(ref.space)) return nothing;
  const node = await findNode(scope, ref.space);
  if (node?.kind !== 'space' || node.organization !== organization || node.deletedAt !== null) return nothing;
  const head = (await scope.store.read(branches).byId(ref.space))?.head;
  if (head == null) return nothing;
  return { value: { object: 'space', id: ref.space, revision: head.revision }, of: head.revision };
}

function shortHash(of: unknown): string {
  return nameOfText(canonical(of)).slice(0, 24);
}
