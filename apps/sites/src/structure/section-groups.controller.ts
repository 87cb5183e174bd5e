import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  addSectionGroupToSite,
  addSectionToGroup,
  deleteSiteSectionGroupById,
  listSiteSectionGroups,
  moveSiteSectionGroup,
  removeSectionFromGroup,
  updateSiteSectionGroupById,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { groupIn, inOrder, Publishing, renderGroup, type GroupState } from '../model/index.js';
import { changeStructure, createdOn, idOf, readStructure, type SitePathParams } from './change-structure.process.js';
import { pageOf } from './page-of.queries.js';
import { addGroup, addToGroup, changeGroup, removeFromGroup, removeGroup } from './changes/section-groups.js';
import { sort, type Pointer } from './changes/sort.js';

type Position = NonNullable<NonNullable<InputOf<typeof moveSiteSectionGroup>['body']>['position']>;

@Controller()
export class SiteSectionGroupsController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(listSiteSectionGroups)
  async list({ params, query }: InputOf<typeof listSiteSectionGroups>, call: Call) {
    const view = await readStructure(call, this, params);
    const groups = inOrder(view.structure).filter((item): item is GroupState => item.kind === 'group');
    const about = { operation: call.operation, site: params.siteId, request: query };
    const page = await pageOf(call.cursors, groups, about);
    return { ...page, items: page.items.map((one) => renderGroup(view, one)) };
  }

  @Handles(addSectionGroupToSite)
  async add({ params, body }: InputOf<typeof addSectionGroupToSite>, call: Call) {
    const { title, icon = null, sections = [], parent = null } = body;
    const id = idOf(call, 'sitescg', 'section group');
    const wanted = { id, title, icon, sections, parent, limits: call.limits };
    await changeStructure(call, params, (state) => addGroup(state, wanted));
    return createdOn(call, params, 'section-groups', await readAfterCreate(call, () => this.read(call, params, id)));
  }

  @Handles(deleteSiteSectionGroupById)
  async remove({ params }: InputOf<typeof deleteSiteSectionGroupById>, call: Call) {
    return changeStructure(call, params, (state) => removeGroup(state, params.siteSectionGroupId));
  }

  @Handles(updateSiteSectionGroupById)
  async update({ params, body }: InputOf<typeof updateSiteSectionGroupById>, call: Call) {
    const { parentSectionGroupId: parent, ...change } = body;
    const id = params.siteSectionGroupId;
    await changeStructure(call, params, (state) => changeGroup(state, id, { ...change, parent }));
    return this.read(call, params, id);
  }

  @Handles(addSectionToGroup)
  async addSection({ params, body }: InputOf<typeof addSectionToGroup>, call: Call) {
    const id = params.siteSectionGroupId;
    await changeStructure(call, params, (state) => addToGroup(state, id, body.sectionId));
    return createdOn(call, params, 'section-groups', await this.read(call, params, id));
  }

  @Handles(removeSectionFromGroup)
  async removeSection({ params }: InputOf<typeof removeSectionFromGroup>, call: Call) {
    const { siteSectionGroupId: group, siteSectionId: section } = params;
    return changeStructure(call, params, (state) => removeFromGroup(state, group, section));
  }

  @Handles(moveSiteSectionGroup)
  async move({ params, body = {} }: InputOf<typeof moveSiteSectionGroup>, call: Call) {
    const { before, after } = body.position ?? {};
    const item = { type: 'site-section-group', id: params.siteSectionGroupId } as const;
    const position = { before: pointerOf(before), after: pointerOf(after) };
    await changeStructure(call, params, (state) => sort(state, { item, position, among: 'siblings' }));
    return this.read(call, params, params.siteSectionGroupId);
  }

  private async read(call: Call, params: SitePathParams, id: string) {
    const view = await readStructure(call, this, params);
    const found = groupIn(view.structure, id);
    if (found === undefined) throw new AppError('not_found');
    return renderGroup(view, found);
  }
}

function pointerOf(one: Position['before']): Pointer | undefined {
  if (one === undefined) return undefined;
  if ('id' in one) return one;
  return { type: one.type, id: one.type === 'site-section' ? one.siteSection : one.siteSectionGroup };
}
