/** Below a space, all but tab, line feed, vertical tab, form feed, carriage return and escape. */
const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

/** The bytes as text, when they are UTF-8 without control characters. The last character may be cut off. */
export function asText(head: Uint8Array): string | undefined {
  if (head.some(isControl)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return undefined;
  }
}

/** Whether the first element of an XML text is `svg`. */
export function isSvg(text: string): boolean {
  return text.trimStart().startsWith('<') && /<[A-Za-z][^\s/>]*/u.exec(text)?.[0] === '<svg';
}
