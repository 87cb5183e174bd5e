import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  addSectionToSite,
  deleteSiteSectionById,
  listSiteSections,
  moveSiteSection,
  updateSiteSectionById,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { inOrder, Publishing, renderSection, requireSite, sectionIn, type SectionState } from '../model/index.js';
import { requirePlaceable } from '../spaces/index.js';
import { changeStructure, createdOn, idOf, readStructure, type SitePathParams } from './change-structure.process.js';
import { pageOf } from './page-of.queries.js';
import { addSection, changeSection, removeSection } from './changes/sections.js';
import { sort } from './changes/sort.js';

@Controller()
export class SiteSectionsController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(listSiteSections)
  async list({ params, query }: InputOf<typeof listSiteSections>, call: Call) {
    const view = await readStructure(call, this, params, query.shareKey);
    const sections = inOrder(view.structure).filter((item): item is SectionState => item.kind === 'section');
    const about = { operation: call.operation, site: params.siteId, request: query };
    const page = await pageOf(call.cursors, sections, about);
    return { ...page, items: page.items.map((one) => renderSection(view, one)) };
  }

  @Handles(addSectionToSite)
  async add({ params, body }: InputOf<typeof addSectionToSite>, call: Call) {
    const { spaceId, title = null, icon = null, siteSectionGroupId: group = null } = body;
    const { place } = await requireSite(call, this.access, call.principal, params);
    const [space] = await requirePlaceable(call, this.access, place, [spaceId], () => 'body.spaceId');
    if (space === undefined) throw new AppError('not_found');
    const id = idOf(call, 'sitesc', 'section');
    const wanted = {
      id,
      wrapping: idOf(call, 'sitesc', 'wrapping section'),
      title,
      icon,
      group,
      added: { id: idOf(call, 'sitesp', 'site space'), space },
      limits: call.limits,
    };
    await changeStructure(call, params, (state) => addSection(state, wanted));
    return createdOn(call, params, 'sections', await readAfterCreate(call, () => this.read(call, params, id)));
  }

  @Handles(deleteSiteSectionById)
  async remove({ params }: InputOf<typeof deleteSiteSectionById>, call: Call) {
    return changeStructure(call, params, (state) => removeSection(state, params.siteSectionId));
  }

  @Handles(updateSiteSectionById)
  async update({ params, body }: InputOf<typeof updateSiteSectionById>, call: Call) {
    const { siteSectionGroupId: group, ...change } = body;
    const id = params.siteSectionId;
    await changeStructure(call, params, (state) => changeSection(state, id, { ...change, group }));
    return this.read(call, params, id);
  }

  @Handles(moveSiteSection)
  async move({ params, body = {} }: InputOf<typeof moveSiteSection>, call: Call) {
    const { before, after } = body.position ?? {};
    const pointer = (one: typeof before) => (one === undefined ? undefined : { type: one.type, id: one.siteSection });
    const item = { type: 'site-section', id: params.siteSectionId } as const;
    const position = { before: pointer(before), after: pointer(after) };
    await changeStructure(call, params, (state) => sort(state, { item, position, among: 'siblings' }));
    return this.read(call, params, params.siteSectionId);
  }

  private async read(call: Call, params: SitePathParams, id: string) {
    const view = await readStructure(call, this, params);
    const found = sectionIn(view.structure, id);
    if (found === undefined) throw new AppError('not_found');
    return renderSection(view, found);
  }
}
