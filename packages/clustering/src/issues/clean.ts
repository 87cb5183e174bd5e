import { cut } from '../words/normalise.js';

/** As much of one part as is read. */
export const longestPart = 16_384;
/** Stack traces keep as many lines. */
const traceLines = 5;
/** A signature stands within as many lines from the end. */
const signatureLines = 10;

/** Where the messages that a reply answers begin. What follows was read when it came. */
const replyHeaders = [
  /^\s*(?:on|am|le|el|il|em|op|den|dne)\b.{4,200}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|napsal)\b.{0,100}:\s*$/iu,
  /^\s*-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|forwarded message)\s*-{2,}/iu,
  /^\s*_{10,}\s*$/u,
];
const quoted = /^\s{0,3}>/u;
const fence = /^\s{0,3}(?:```|~~~)/u;
/** Frames of stack traces of several languages, and lines of logs. */
const trace =
  /^\s*(?:at\s+\S+|File\s+"[^"]{1,300}",\s+line\s+\d|Caused by:|Traceback \(most|\.{3}\s*\d+ more|goroutine \d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|#\d+\s+0x|from\s+\S+:\d+:in)/u;
const closing =
  /^\s*(?:(?:best|kind|warm|many)?\s*(?:regards|wishes)|best|cheers|sincerely|yours (?:truly|sincerely|faithfully)|(?:many )?thanks(?: (?:in advance|so much|a lot))?|thank you(?: (?:in advance|so much|very much))?|mit (?:freundlichen|besten) grüßen|(?:viele|liebe|beste) grüße|mfg|lg|(?:bien )?cordialement|(?:un )?saludos?(?: cordiales)?|atentamente|(?:cordiali )?saluti|atenciosamente|met vriendelijke groet(?:en)?|med vänliga hälsningar|с уважением|sent from my .{1,40}|von meinem .{1,40} gesendet|envoyé de mon .{1,40})\s*[,.!]*\s*$/iu;
const greeting =
  /^\s*(?:(?:hi|hello|hey|dear|hallo|guten (?:tag|morgen|abend)|liebe[sr]?|sehr geehrte[rn]?|bonjour|salut|hola|buen[oa]s (?:días|tardes)|ciao|buongiorno|olá|bom dia|beste|hej|здравствуйте|привет|good (?:morning|afternoon|evening|day))(?:\s+(?:there|all|team|everyone|support|again|zusammen|à tous|a todos|[\p{Lu}][\p{L}.'-]{0,30}|and|und)){0,4}\s*[,!.:;–-]+\s*)/iu;

/**
 * What a person says in one part: without quoted messages, greeting and signature, and with the first lines alone of
 * code and stack traces. Marks of markdown that are no words are gone. Takes plain text or markdown; HTML has to be
 * made into text before.
 */
export function cleanPart(text: string): string {
  const lines = cut(text, longestPart).replace(/\r\n?/gu, '\n').split('\n');
  const own = withoutSignature(withoutCode(withoutReplies(lines)));
  return own.join('\n').trim().replace(greeting, '').trim();
}

function withoutReplies(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.length < 400 && replyHeaders.some((header) => header.test(line)));
  return (end < 0 ? lines : lines.slice(0, end)).filter((line) => !quoted.test(line));
}

function withoutCode(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let isCode = false;
  let traces = 0;
  for (const line of lines) {
    if (fence.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode || trace.test(line)) {
      traces += 1;
      if (traces > traceLines) continue;
    }
    kept.push(plainLine(line));
  }
  return kept;
}

/** A line without the marks of markdown and HTML, with the texts of its links. */
function plainLine(line: string): string {
  return line
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\s]{0,2000}\)/gu, '$1')
    .replace(/<\/?[a-z][^<>]{0,500}>/giu, ' ')
    .replace(/^\s{0,3}(?:#{1,6}\s+|[-*+]\s+)/u, '')
    .replace(/(\*\*|__|~~|`)(?=\S)(.{1,500}?)\1/gu, '$2')
    .trimEnd();
}

function withoutSignature(lines: readonly string[]): string[] {
  const mark = lines.findIndex((line) => /^-- ?$/u.test(line));
  const marked = mark < 0 ? [...lines] : lines.slice(0, mark);
  while (marked.at(-1)?.trim() === '') marked.pop();
  const from = Math.max(marked.length - signatureLines, 0);
  const end = marked.findIndex((line, index) => index >= from && line.length < 100 && closing.test(line));
  return end < 0 ? marked : marked.slice(0, end);
}
