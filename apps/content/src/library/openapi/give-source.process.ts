import type { SpecSource } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';
import { dropBytes } from './spec-bytes.operational.js';
import { dropTexts } from './spec-texts.operational.js';
import { bySlug, create, put, specs } from './spec.js';
import { isLostRace, storeSource } from './store-source.process.js';

interface Given {
  organization: string;
  slug: string;
  source: SpecSource;
}

/** What was done with a source. */
export interface GivenSource {
  id: string;
  created: boolean;
}

const nothing = { kind: 'text', name: '' } as const;
const mostAttempts = 3;

/** Creates a specification with its source. @throws AppError as `create` and `storeSource` do */
export async function createSpec(call: Call, files: FileStore, given: Given): Promise<GivenSource> {
  const { organization, slug } = given;
  const id = call.idFor('openapi-spec');
  const wanted = { id, slug, field: 'body.slug', limit: call.limits.openAPISpecsPerOrganization };
  // What is refused must not leave a text behind.
  await call.store.step('judge').handle(specs, organization, (state) => {
    if (!state.specs.has(id)) create(state, { ...wanted, source: nothing });
    return [];
  });
  const source = await storeSource(call, files, { organization, spec: id }, given.source);
  try {
    await call.store.handle(specs, organization, (state) => create(state, { ...wanted, source }));
  } catch (error) {
    if (!call.store.dry) await forget(call, files, { organization, id });
    throw error;
  }
  return { id, created: true };
}

/**
 * Gives a specification another source, or creates it. Of requests at once that would create it one does, and the
 * others give it their sources after that.
 * @throws AppError as `put` and `storeSource` do
 */
export async function putSource(call: Call, files: FileStore, given: Given): Promise<GivenSource> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await putOnce(call, files, given, attempt);
    } catch (error) {
      if (attempt === mostAttempts || !isLostRace(error)) throw error;
    }
  }
}

async function putOnce(
  call: Call,
  files: FileStore,
  { organization, slug, source: wantedSource }: Given,
  attempt: number,
): Promise<GivenSource> {
  const { state } = await call.store.step(`judge ${attempt}`).handle(specs, organization, () => []);
  const own = call.idFor('openapi-spec');
  const id = bySlug(state, slug)?.id ?? own;
  const wanted = { id, slug, field: 'params.specSlug', limit: call.limits.openAPISpecsPerOrganization };
  put(state, { ...wanted, source: nothing });
  const source = await storeSource(call, files, { organization, spec: id }, wantedSource);
  try {
    await call.store.handle(specs, organization, (known) => put(known, { ...wanted, source }));
  } catch (error) {
    if (!state.specs.has(id) && !call.store.dry) await forget(call, files, { organization, id });
    throw error;
  }
  return { id, created: id === own };
}

/** Drops what was stored for a specification that was not created. */
async function forget(
  call: Call,
  files: FileStore,
  { organization, id }: { organization: string; id: string },
): Promise<void> {
  const state = await call.store.load(specs, organization);
  if (state.specs.has(id)) return;
  await dropTexts(call, id);
  await dropBytes(files, id);
}
