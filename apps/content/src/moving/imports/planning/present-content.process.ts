import type { ContentTree } from '../../../versions/index.js';
import { layOut } from '../../exports/index.js';
import type { PresentContent, PresentOther, PresentPage } from './present.js';

/** What an import replaces, with the paths that it would have in an export. */
export async function presentIn(tree: ContentTree): Promise<PresentContent> {
  const { pages, reusableContents, files, paths } = await layOut(tree);
  return {
    pages: pages.map((page): PresentPage => {
      const { id, type, title, parent, createdAt, order, slug, document, target, importedFrom } = page;
      const path = paths.get(id);
      return {
        id,
        type,
        title,
        createdAt,
        order,
        ...(parent === undefined ? {} : { parent }),
        ...(slug === undefined ? {} : { slug }),
        ...(path === undefined ? {} : { path }),
        ...(document === undefined ? {} : { document }),
        ...(target === undefined ? {} : { target }),
        ...(importedFrom === undefined ? {} : { importedFrom }),
      };
    }),
    others: [...reusableContents, ...files].map((one): PresentOther => {
      const { id, importedFrom } = one;
      return {
        id,
        path: paths.get(id) ?? '',
        ...('document' in one ? { document: one.document } : {}),
        ...(importedFrom === undefined ? {} : { importedFrom }),
      };
    }),
  };
}
