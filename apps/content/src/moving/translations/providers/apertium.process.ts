import * as z from 'zod';
import { askProvider, type ProviderPlace } from './ask-provider.process.js';
import { fromMarkup, toMarkup } from './markup.js';
import {
  charactersOf,
  inOrder,
  noUsage,
  ProviderFailure,
  type TranslationBatch,
  type TranslationProvider,
} from './provider.js';
import { runCommand, type CommandBounds } from './run-command.process.js';

/** What Apertium calls languages: codes of three letters. */
const codes: Readonly<Record<string, string>> = {
  ...{ en: 'eng', es: 'spa', pt: 'por', fr: 'fra', it: 'ita', de: 'deu', nl: 'nld', ru: 'rus', uk: 'ukr' },
  ...{ sv: 'swe', da: 'dan', no: 'nob', hr: 'hbs_HR', pl: 'pol', bg: 'bul', sl: 'slv', ar: 'ara', hi: 'hin' },
};

/** Translates HTML of some paragraphs; the pair is such as `eng` and `spa`. */
type TranslateHtml = (html: string, pair: { from: string; to: string }, signal: AbortSignal) => Promise<string>;

const answer = z.object({ responseData: z.object({ translatedText: z.string() }) });

/** An Apertium server (APy). */
export function apertiumProvider(place: ProviderPlace): TranslationProvider {
  return provider(async (q, { from, to }, signal) => {
    const form = {
      langpair: `${from}|${to}`,
      format: 'html',
      markUnknown: 'no',
      deformat: 'html',
      reformat: 'html',
      q,
    };
    const { responseData } = await askProvider(place, {
      path: '/translate',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      answer,
      signal,
    });
    return responseData.translatedText;
  });
}

/** The command `apertium` of this machine, with the pairs that are installed. */
export function apertiumCommandProvider(command = 'apertium', bounds: CommandBounds = {}): TranslationProvider {
  return provider((html, { from, to }, signal) =>
    runCommand({ command, args: ['-u', '-f', 'html-noent', `${from}-${to}`], input: html }, bounds, signal),
  );
}

function provider(translateHtml: TranslateHtml): TranslationProvider {
  return {
    name: 'apertium',
    isLanguage: true,
    translates: (from, to) => (codes[from] === undefined || codes[to] === undefined ? false : undefined),
    async translate(batch, signal) {
      const pair = { from: codeOf(batch.from), to: codeOf(batch.to) };
      const texts = await translateParagraphs(batch, (html) => translateHtml(html, pair, signal));
      return { texts: inOrder(batch, texts), usage: { ...noUsage, characters: charactersOf(batch) } };
    },
  };
}

function codeOf(language: string): string {
  const code = codes[language];
  if (code === undefined) throw new ProviderFailure(`Apertium has no language ${language}`);
  return code;
}

/** Every text is a paragraph of its own: one request translates all of them. */
async function translateParagraphs(
  batch: TranslationBatch,
  translate: (html: string) => Promise<string>,
): Promise<string[]> {
  const marked = batch.segments.map(({ text }) => toMarkup(text, batch));
  const html = marked.map(({ text }) => `<p>${text}</p>`).join('\n\n');
  const paragraphs = paragraphsOf(await translate(html), marked.length + 1);
  if (paragraphs.length !== marked.length)
    throw new ProviderFailure('The answer of the provider has another form than was asked for', { isOfText: true });
  return marked.map((one, i) => fromMarkup(paragraphs[i] ?? '', one).trim());
}

/** The texts of the first paragraphs of HTML, at most so many. */
function paragraphsOf(html: string, most: number): string[] {
  const found: string[] = [];
  for (let at = html.indexOf('<p>'); at >= 0 && found.length < most; at = html.indexOf('<p>', at)) {
    const end = html.indexOf('</p>', at);
    if (end < 0) break;
    found.push(html.slice(at + '<p>'.length, end));
    at = end;
  }
  return found;
}
