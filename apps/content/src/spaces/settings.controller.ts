import { ServiceAccess } from '@scriptorium/access';
import { deleteSpaceById, invalid, restoreSpace, updateSpaceById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { refuseDefaultLevel } from '../grants/index.js';
import { deleteSpace, library, requireNode, restore, restoredPlace } from '../library/index.js';
import { checkMergeRules } from './check-merge-rules.queries.js';
import { configure, space } from './space.js';
import { getSpace } from './spaces.queries.js';

/** Settings of spaces, their deletion and restoration. */
@Controller()
export class SpaceSettingsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(updateSpaceById)
  async update({ params, body }: InputOf<typeof updateSpaceById>, call: Call) {
    const { spaceId: id } = params;
    const { mergeRules, ...settings } = body;
    if (typeof body.emoji === 'string' && typeof body.icon === 'string')
      throw invalid('body.icon', 'A space has an emoji or an icon');
    const node = await requireNode(call, this.access, call.principal, id);
    if (body.defaultLevel !== undefined) refuseDefaultLevel(node, body.defaultLevel);
    const rules = mergeRules === undefined ? undefined : rulesOf(mergeRules);
    if (rules != null) await checkMergeRules(call, node.organization, rules);
    const change = { ...settings, mergeRules: rules };
    await call.store.within({ space: id }).handle(space, id, (state) => configure(state, change));
    return getSpace(call, this.access, call.principal, id);
  }

  @Handles(deleteSpaceById)
  async remove({ params }: InputOf<typeof deleteSpaceById>, call: Call) {
    const { spaceId: id } = params;
    const { organization } = await requireNode(call, this.access, call.principal, id);
    const { events } = await call.store
      .within({ space: id })
      .handle(library, organization, (state) => deleteSpace(state, { space: id }));
    return events.length > 0;
  }

  @Handles(restoreSpace)
  async restore({ params }: InputOf<typeof restoreSpace>, call: Call) {
    const { spaceId: id } = params;
    const { organization, parent } = await requireNode(call, this.access, call.principal, id);
    const here = call.store.within({ space: id });
    const decide = (state: Parameters<typeof restore>[0]) => restore(state, { space: id, now: call.now() });
    const known = await here.load(library, organization);
    // At the top nobody gets in by what the collection let them have: before the space is there, not after.
    const closed =
      parent !== null && restoredPlace(known, id)?.parent === null && decide(known).length > 0
        ? await here.handle(space, id, (state) => configure(state, { defaultLevel: null }), { wait: false })
        : undefined;
    await here.handle(library, organization, decide);
    if (closed !== undefined) await call.store.shown(closed);
    return getSpace(call, this.access, call.principal, id);
  }
}

type Body = InputOf<typeof updateSpaceById>['body'];

/** `null`: those of the organization. */
function rulesOf(mergeRules: NonNullable<Body['mergeRules']>) {
  if (mergeRules.type === 'rules') return mergeRules.rules;
  return mergeRules.type === 'none' ? [] : null;
}
