const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it stands between tags of HTML, or in an attribute in quotes. */
export function escapeHTML(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
