import type { PublishedContent, SiteCustomization } from '@scriptorium/contracts';
import type { Block, Node, RichDocument } from '@scriptorium/rich-text';
import type { Highlighter } from '../highlight/highlighter.js';
import type { Referred } from '../pages/links.js';
import { themeOf } from '../pages/themes.js';
import type { Components } from '../visit/components.js';
import { referredTo, unlessMissing, type Content } from '../visit/content.js';
import type { DocumentPage, PageIndex } from '../visit/pages.js';
import type { Visiting } from '../visit/session.js';
import type { SiteView } from '../visit/site-view.js';

/** What makes parts of pages besides the API. */
export interface Reads {
  highlighter: Highlighter;
  components: Components;
}

/** Who reads a page. */
interface Read extends Pick<Visiting, 'from' | 'theme'> {
  content: Content;
}

/** Reads what a page refers to: files, pages of other spaces, its code with its words marked, and components. */
export async function everythingReferredTo(
  { highlighter, components }: Reads,
  { content, from, theme }: Read,
  { page, index, view }: { page: DocumentPage; index: PageIndex; view: SiteView },
): Promise<Referred> {
  const document = page.document as RichDocument | undefined;
  const { look } = view;
  const isDark = themeOf(look.themes, theme) === 'dark';
  const [referred, lines, rendered] = await Promise.all([
    targetsOf(content, { page, index, around: spacesIn(look, content.at.space) }),
    highlighter.linesOf(codeIn(document)),
    document !== undefined && isOpenToAll(view, content.at)
      ? components.of(content.at, { document, theme: isDark ? 'dark' : 'light', visitor: from })
      : new Map(),
  ]);
  return { ...referred, lines, components: rendered };
}

/** Integrations render what everybody may see: no previews, and nothing for those who were let in. */
function isOpenToAll({ visibility, carried }: SiteView, at: PublishedContent): boolean {
  const isPreview = at.changeRequest !== undefined || at.revision !== undefined;
  const isOpen = visibility === 'public' || visibility === 'unlisted';
  return isOpen && !isPreview && at.shareKey === undefined && !new URLSearchParams(carried).has('preview');
}

/** What a page leads to. `around`: spaces that something else leads to. */
export async function targetsOf(
  content: Content,
  { page, index, around }: { page: DocumentPage; index: PageIndex; around: readonly string[] },
): Promise<Omit<Referred, 'lines'>> {
  const { space } = content.at;
  const { files, spaces } = referredTo(page, space);
  const others = [...new Set([...spaces, ...around])];
  const [shown, indexes] = await Promise.all([
    content.files(files),
    Promise.all(others.map(async (id) => [id, await content.pages(id).catch(unlessMissing)] as const)),
  ]);
  const known = indexes.flatMap(([id, one]) => (one === undefined ? [] : [[id, one] as const]));
  return { space, files: shown, indexes: new Map([...known, [space, index]]) };
}

/** The spaces whose pages the links of header and footer lead to. */
function spacesIn({ header, footer }: SiteCustomization, own: string): string[] {
  const refs = [
    ...header.links,
    ...header.links.flatMap(({ links }) => links),
    ...footer.groups.flatMap(({ links }) => links),
  ];
  const spaces = refs.map(({ to }) => (to?.kind === 'page' || to?.kind === 'anchor' ? to.space : undefined));
  return [...new Set(spaces)].filter((id): id is string => id !== undefined && id !== own).slice(0, mostAround);
}

const mostAround = 5;

function codeIn(document: RichDocument | undefined): Block[] {
  const found: Block[] = [];
  const walk = (node: Node): void => {
    if (node.object === 'text') return;
    if (node.type === 'code' && node.object === 'block') found.push(node);
    for (const child of node.nodes ?? []) walk(child);
    for (const { nodes } of node.fragments ?? []) nodes.forEach(walk);
  };
  document?.nodes.forEach(walk);
  return found;
}
