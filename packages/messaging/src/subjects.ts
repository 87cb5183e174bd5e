const TOKEN = '[^\\s.*>]+';
const LITERAL = new RegExp(`^${TOKEN}(\\.${TOKEN})*$`);

/**
 * Whether messages can be published to the subject: its tokens are not empty and contain no white space and no
 * wildcards.
 */
export function isLiteral(subject: string): boolean {
  return subject.length <= 255 && LITERAL.test(subject);
}
