/** The form in which text is sorted and searched: NFKC, lower case, at most 256 code units. */
export function sortKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().slice(0, 256);
}
