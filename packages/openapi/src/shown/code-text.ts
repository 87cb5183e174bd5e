/** A text of JSON is a text of JavaScript, of Python and of Go, when it is well formed. */
export function json(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** A text of a shell: nothing in single quotes means anything else. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A raw text of Go has neither backquotes nor carriage returns. */
export function goText(text: string): string {
  return /[`\r]/.test(text) ? json(text) : `\`${text.toWellFormed()}\``;
}

export function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}
