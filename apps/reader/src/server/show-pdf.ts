import { AppError } from '@scriptorium/contracts';
import { siteView } from '../visit/site-view.js';
import { redirect, type Answer } from './answer.js';
import type { Inside } from './show-page.js';

/**
 * Leads to the PDF of a page, which is at an address of its own for an hour.
 * @throws AppError `not_found` for a page that is not shown, and where the site offers no PDFs
 */
export async function showPdf({ content, carried }: Inside, asked: URLSearchParams): Promise<Answer> {
  const [published, pages] = await Promise.all([content.site(), content.pages()]);
  const page = pages.byId.get(asked.get('page') ?? '');
  const { look } = siteView(published, content.at, carried);
  if (page === undefined || page.type === 'link' || !look.pdf.enabled) throw new AppError('not_found');
  return redirect(await content.pdf(page.id, asked.get('only') === 'true'), 302);
}
