const REFERENCES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

/** Text within HTML, also as the value of an attribute in double quotes. */
export const escaped = (text: string): string =>
  text.replace(/[&<"]/g, (character) => REFERENCES[character] ?? character);
