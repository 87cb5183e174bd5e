const longestTitle = 50;

/** A title of a space with an ending, cut so that both fit. */
export function titleWith(title: string, ending: string): string {
  let short = '';
  for (const character of title) {
    if (short.length + character.length + ending.length > longestTitle) break;
    short += character;
  }
  return `${short.trimEnd()}${ending}`;
}
