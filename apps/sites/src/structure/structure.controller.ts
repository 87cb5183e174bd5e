import { ServiceAccess } from '@scriptorium/access';
import { AppError, getSiteStructure, sortSiteStructure, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import {
  groupIn,
  Publishing,
  renderGroup,
  renderSection,
  renderSiteSpace,
  renderStructure,
  sectionIn,
  siteSpaceIn,
  type StructureView,
} from '../model/index.js';
import { changeStructure, readStructure } from './change-structure.process.js';
import { sort, type Pointer } from './changes/sort.js';

@Controller()
export class SiteStructureController {
  constructor(
    readonly access: ServiceAccess,
    readonly publishing: Publishing,
  ) {}

  @Handles(getSiteStructure)
  async get({ params, query }: InputOf<typeof getSiteStructure>, call: Call) {
    const { principal } = call;
    return call.cached({ of: [params, query] }, async (scope) =>
      renderStructure(await readStructure({ ...scope, principal }, this, params, query.shareKey)),
    );
  }

  @Handles(sortSiteStructure)
  async sort({ params, body }: InputOf<typeof sortSiteStructure>, call: Call) {
    const { item, position } = body;
    await changeStructure(call, params, (state) => sort(state, { item, position, among: 'all' }));
    return render(await readStructure(call, this, params), item);
  }
}

function render(view: StructureView, { type, id }: Pointer) {
  const { structure } = view;
  const siteSpace = type === 'site-space' ? siteSpaceIn(structure, id) : undefined;
  if (siteSpace !== undefined) return renderSiteSpace(view, siteSpace);
  const section = type === 'site-section' ? sectionIn(structure, id) : undefined;
  if (section !== undefined) return renderSection(view, section);
  const group = type === 'site-section-group' ? groupIn(structure, id) : undefined;
  if (group !== undefined) return renderGroup(view, group);
  throw new AppError('not_found');
}
