const TOKEN = '[^\\s.*>]+';
const LITERAL = new RegExp(`^${TOKEN}(\\.${TOKEN})*$`);

/** Whether one may publish to the subject: tokens without blanks, gaps or wildcards. */
export function isLiteral(subject: string): boolean {
  return subject.length <= 255 && LITERAL.test(subject);
}
