import { ServiceAccess } from '@scriptorium/access';
import { blaming, deleteSpaceById, invalid, restoreSpace, updateSpaceById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { refuseDefaultLevel } from '../../grants/index.js';
import { deleteSpace, library, requireNode } from '../../nodes/index.js';
import { checkMergeRules } from './check-merge-rules.queries.js';
import { restoreInLibrary } from './restore-space.process.js';
import { configure, space } from '../space.js';
import { getSpace } from '../listing/spaces.queries.js';

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
    if (call.principal.kind === 'installation') refuseRules(body);
    const node = await requireNode(call, this.access, call.principal, id);
    if (body.defaultLevel !== undefined)
      refuseDefaultLevel(await this.access.viewerAt(call, node.place), node, body.defaultLevel);
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
    await restoreInLibrary(call, { id, organization, parent });
    return getSpace(call, this.access, call.principal, id);
  }
}

type Body = InputOf<typeof updateSpaceById>['body'];

/** Installations change what a space is called, not who may do what with it. */
function refuseRules(body: Body): void {
  for (const field of ['editMode', 'defaultLevel', 'mergeRules'] as const)
    if (body[field] !== undefined) throw blaming('forbidden', `body.${field}`, 'Only a user changes this');
}

/** `null`: those of the organization. */
function rulesOf(mergeRules: NonNullable<Body['mergeRules']>) {
  if (mergeRules.type === 'rules') return mergeRules.rules;
  return mergeRules.type === 'none' ? [] : null;
}
