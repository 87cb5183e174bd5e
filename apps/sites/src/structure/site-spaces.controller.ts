import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  addSpaceToSite,
  copySpace,
  deleteSiteSpaceById,
  duplicateSiteSpace,
  limitReached,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpaceById,
  type InputOf,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import {
  isDefaultSpace,
  Publishing,
  renderSiteSpace,
  requireSite,
  siteSpaceIn,
  siteSpacesInOrder,
} from '../model/index.js';
import { requirePlaceable } from '../spaces/index.js';
import { changeStructure, createdOn, idOf, readStructure, type SitePathParams } from './change-structure.process.js';
import { pageOf } from './page-of.queries.js';
import { addSpace, changeSpace, duplicateSpace, removeSpace } from './changes/site-spaces.js';
import { sort } from './changes/sort.js';

@Controller()
export class SiteSpacesController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(listSiteSpaces)
  async list({ params, query }: InputOf<typeof listSiteSpaces>, call: Call) {
    const view = await readStructure(call, this, params, query.shareKey);
    const all = siteSpacesInOrder(view.structure);
    const listed =
      query.default === undefined ? all : all.filter((one) => isDefaultSpace(view.structure, one) === query.default);
    const page = await pageOf(call.cursors, listed, {
      operation: call.operation,
      site: params.siteId,
      request: query,
    });
    return { ...page, items: page.items.map((one) => renderSiteSpace(view, one)) };
  }

  @Handles(addSpaceToSite)
  async add({ params, body }: InputOf<typeof addSpaceToSite>, call: Call) {
    const { spaceId, sectionId: section } = body;
    const space = await this.placeable(call, params, spaceId);
    const { limits } = call;
    const id = idOf(call, 'sitesp', 'site space');
    await changeStructure(call, params, (state) => addSpace(state, { section, added: { id, space }, limits }));
    return createdOn(call, params, 'site-spaces', await readAfterCreate(call, () => this.read(call, params, id)));
  }

  @Handles(duplicateSiteSpace)
  async duplicate({ params }: InputOf<typeof duplicateSiteSpace>, call: Call) {
    const { siteSpaceId: of } = params;
    const { limits } = call;
    const id = idOf(call, 'sitesp', 'site space');
    const { structure } = await readStructure(call, this, params);
    const present = siteSpaceIn(structure, of);
    if (present === undefined) throw new AppError('not_found');
    // What the site refuses must not leave a copy behind.
    if (siteSpaceIn(structure, id) === undefined && structure.siteSpaces.length >= limits.siteSpacesPerSite)
      throw limitReached('siteSpacesPerSite', limits.siteSpacesPerSite);
    const space = await ask(call, copySpace, { space: present.space });
    await changeStructure(call, params, (state) => duplicateSpace(state, { of, added: { id, space }, limits }));
    return createdOn(call, params, 'site-spaces', await readAfterCreate(call, () => this.read(call, params, id)));
  }

  @Handles(deleteSiteSpaceById)
  async remove({ params }: InputOf<typeof deleteSiteSpaceById>, call: Call) {
    return changeStructure(call, params, (state) => removeSpace(state, params.siteSpaceId));
  }

  @Handles(updateSiteSpaceById)
  async update({ params, body }: InputOf<typeof updateSiteSpaceById>, call: Call) {
    const { spaceId, ...change } = body;
    const id = params.siteSpaceId;
    const present = siteSpaceIn((await readStructure(call, this, params)).structure, id);
    if (present === undefined) throw new AppError('not_found');
    if (spaceId !== undefined && spaceId !== present.space) await this.placeable(call, params, spaceId);
    await changeStructure(call, params, (state) => changeSpace(state, id, { ...change, space: spaceId }));
    return this.read(call, params, id);
  }

  @Handles(moveSiteSpace)
  async move({ params, body = {} }: InputOf<typeof moveSiteSpace>, call: Call) {
    const { before, after } = body.position ?? {};
    const pointer = (one: typeof before) => (one === undefined ? undefined : { type: one.type, id: one.siteSpace });
    const item = { type: 'site-space', id: params.siteSpaceId } as const;
    const position = { before: pointer(before), after: pointer(after) };
    await changeStructure(call, params, (state) => sort(state, { item, position, among: 'siblings' }));
    return this.read(call, params, params.siteSpaceId);
  }

  private async placeable(call: Call, params: SitePathParams, space: string) {
    const { place } = await requireSite(call, this.access, call.principal, params);
    const [found] = await requirePlaceable(call, this.access, place, [space], () => 'body.spaceId');
    if (found === undefined) throw new AppError('not_found');
    return found;
  }

  private async read(call: Call, params: SitePathParams, id: string) {
    const view = await readStructure(call, this, params);
    const found = siteSpaceIn(view.structure, id);
    if (found === undefined) throw new AppError('not_found');
    return renderSiteSpace(view, found);
  }
}
