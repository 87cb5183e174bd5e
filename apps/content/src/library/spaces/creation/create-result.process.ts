import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { branch, openMain, type NewRevision } from '../../../versions/index.js';
import { addSpace, library, nodeIn, requireSpaceNode, type Library } from '../../nodes/index.js';
import { titleWith } from '../title-with.js';
import { spaces } from '../space.projection.js';
import { create, space } from '../space.js';
import { grantAsSource } from './grant-as-source.process.js';

/** The space that a translation makes. */
interface NewResult {
  id: string;
  translation: string;
  source: string;
  language: string;
  /** The space in whose pool its first content is. */
  pool: string;
  first: NewRevision;
}

/**
 * Makes the result of a translation beside its source, with its first content, for those who may see the source. Nobody
 * but the translation changes the content. It joins the pool of the source. Safe to repeat.
 * @throws AppError `not_found` for a source that is not there, `limit_reached`, `unavailable`
 */
export async function createResult(
  { store, limits }: Pick<Scope, 'store' | 'limits'>,
  { id, translation, source, language, pool, first }: NewResult,
): Promise<void> {
  const { organization } = await requireSpaceNode({ store }, source);
  const settings = await store.read(spaces).byId(source);
  const { title = '', emoji = null, icon = null } = settings ?? {};
  const here = store.in(organization).within({ space: id }).step('result');
  const limit = limits.spacesPerOrganization;
  // The source may be moved meanwhile: the library knows where it stands when the result is added.
  const add = (state: Library) =>
    nodeIn(state, id) === undefined ? addSpace(state, { space: id, parent: parentOf(state, source), limit }) : [];
  // What the library refuses must not leave a stream behind.
  await here.step('judge').handle(library, organization, (state) => (add(state), []), { wait: false });
  const named = { title: titleWith(title, ` (${language.toUpperCase()})`), emoji, icon, language };
  await here.handle(
    space,
    id,
    (state) =>
      state.status === 'active'
        ? []
        : create(state, { ...named, organization, editMode: 'locked', creator: undefined, translation }),
    { wait: false },
  );
  // It exists once the library has it: until then nobody sees it.
  await grantAsSource(store, here, { id, translation, source });
  await here.handle(branch, id, (state) => openMain(state, { space: id, pool, first }), { wait: false });
  await here.handle(library, organization, add, { wait: false });
}

function parentOf(state: Library, source: string): string | null {
  const node = nodeIn(state, source);
  if (node === undefined) throw new AppError('not_found');
  return node.parent;
}
