import { formatLinkByDefault, forClients, toMarkdown, type RichDocument } from '@scriptorium/rich-text';

export type TextFormat = 'document' | 'markdown';

/** A text in the form that was asked for: as markdown, unless as a document. One that is gone is empty. */
export function renderText(
  document: RichDocument | undefined,
  format: TextFormat | undefined,
): { markdown: string } | { document: RichDocument } {
  const shown: RichDocument = document ?? { object: 'document', data: {}, nodes: [] };
  return format === 'document' ? { document: forClients(shown) } : { markdown: toMarkdown(shown, { formatLink }) };
}

/** People are shown by their ids: names are not kept. */
const formatLink: typeof formatLinkByDefault = (ref, style) => {
  const url = formatLinkByDefault(ref, style);
  const user = ref.kind === 'user' ? ref['user'] : undefined;
  return typeof url === 'string' && typeof user === 'string' ? { url, text: user } : url;
};
