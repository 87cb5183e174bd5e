// The page's behaviour: reads the text, shows the document and what it is written as, and says whether both promises
// hold.
'use strict';

const element = (id) => document.getElementById(id);
const [source, output, written, status] = ['source', 'document', 'written', 'status'].map(element);
const [example, context, keys] = ['example', 'context', 'keys'].map(element);
const DELAY_MS = 120;
const LONGEST_LINK = 6000;
const MOST_LOST = 5;

/** Reads and writes once. */
function pass(text) {
  const parsed = RichText.parseMarkdown(text, { context: context.value });
  const { document: tree, title, frontMatter } = parsed;
  return { ...parsed, markdown: RichText.toMarkdown(tree, { context: context.value, title, frontMatter }) };
}

/**
 * The words that a text shows, without what only says how or where: tags, targets, languages, the names of notes and of
 * emoji.
 */
function wordsShown(text) {
  const bare = text
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/<!--[^]{0,5000}?-->/g, ' ')
    .replace(
      /\{%(?:"(?:[^"\\]|\\.){0,1000}"|[^"%{]|[%{](?!\}|%)){0,500}%\}/g,
      (tag) => ` ${/\s(?:title|caption)="((?:[^"\\]|\\.)*)"/.exec(tag)?.[1] ?? ''} `,
    )
    .replace(/<i class[^]*?<\/i>|<\/?[a-z][^>]*>/gi, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(
      /^[ >]*(?:`{3,}|~{3,}).*|^[ >]*\[[^\]\n]+\]:.*|\[\^[^\]\s]+\]|:[\w+-]+:|&#?\w+;|^[ >]*\d+[.)] |\[[xX ]\]|\[![A-Z]+\]/gm,
      ' ',
    );
  return new Set(
    bare
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

/** Words of the text that are nowhere in what it became. */
function wordsLost(text, { document: tree, markdown }) {
  const kept = `${RichText.toPlainText(tree)} ${JSON.stringify(tree, withoutKeys)} ${markdown}`
    .normalize('NFC')
    .toLowerCase();
  return [...wordsShown(text)].filter((word) => !kept.includes(word));
}

function judge(text, first) {
  const second = pass(first.markdown);
  const words = (each) =>
    `${each.title ?? ''} ${RichText.toPlainText(each.document)}`.split(/\s+/).filter(Boolean).join(' ');
  const lost = wordsLost(text, first);
  if (lost.length > 0)
    return {
      good: false,
      text: `Words of the text are not in the document (${lost.slice(0, MOST_LOST).join(', ')}): please report this.`,
    };
  if (second.markdown !== first.markdown)
    return { good: false, text: 'Writing a second time changes the text: please report this.' };
  if (words(second) !== words(first)) return { good: false, text: 'Words are lost on the way: please report this.' };
  const blocks = first.document.nodes.length;
  return {
    good: true,
    text: `Stable: ${blocks} ${blocks === 1 ? 'block' : 'blocks'}, and writing a second time changes nothing.`,
  };
}

/** The lines of `after`; those that `before` has not are marked. */
function showLines(before, after) {
  const known = new Map();
  for (const line of before.split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  const nodes = after
    .trimEnd()
    .split('\n')
    .map((line) => {
      const left = known.get(line) ?? 0;
      known.set(line, left - 1);
      if (left > 0 || line === '') return document.createTextNode(`${line}\n`);
      const mark = document.createElement('mark');
      mark.textContent = `${line}\n`;
      return mark;
    });
  written.replaceChildren(...nodes);
}

const withoutKeys = (name, value) => (name === 'key' ? undefined : value);

function say(good, text) {
  status.className = good ? 'good' : 'bad';
  status.textContent = text;
}

function update() {
  try {
    const result = pass(source.value);
    const { document: tree, title, frontMatter } = result;
    const shown = { ...(title !== undefined && { title }), ...(frontMatter && { frontMatter }), document: tree };
    output.textContent = JSON.stringify(shown, keys.checked ? undefined : withoutKeys, 2);
    showLines(source.value, result.markdown);
    const { good, text } = judge(source.value, result);
    say(good, text);
  } catch (error) {
    output.textContent = '';
    written.replaceChildren();
    const refused = error instanceof RichText.RichTextError;
    say(
      false,
      refused
        ? `Refused (${error.reason}): ${error.message}`
        : `This must not happen, please report it: ${error.message}`,
    );
  }
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(true, done);
  } catch {
    // Some browsers give pages from the file system no clipboard: the text is shown to be copied by hand.
    window.prompt('Copy this text', text);
  }
}

const fence = (text, language) => `\`\`\`\`\`${language}\n${text}\n\`\`\`\`\``;
const report = () =>
  [
    '**What I expected**',
    '',
    '',
    `**Markdown** (read as a ${context.value})`,
    fence(source.value, 'md'),
    `**Status** ${status.textContent}`,
    '**Written again**',
    fence(written.textContent, 'md'),
    '**Document**',
    fence(output.textContent, 'json'),
  ].join('\n');

function link() {
  const url = `${location.href.split('#')[0]}#${new URLSearchParams({ context: context.value, text: source.value })}`;
  if (url.length > LONGEST_LINK) return say(false, 'The text is too long for a link; use the bug report.');
  return copy(url, 'The link is on the clipboard.');
}

/** Takes over the text that a link to this page holds. */
function readLink() {
  const shared = new URLSearchParams(location.hash.slice(1));
  const text = shared.get('text');
  if (text === null) return;
  context.value = shared.get('context') === 'comment' ? 'comment' : 'page';
  source.value = text;
}

function start() {
  if (typeof RichText === 'undefined')
    return say(
      false,
      'The package is not built yet: run "npm ci" and "npm run build" in the repository, then load this page again.',
    );
  for (const name of Object.keys(EXAMPLES)) example.append(new Option(name, name));
  source.value = EXAMPLES[example.value];
  readLink();
  window.addEventListener('hashchange', () => {
    readLink();
    update();
  });
  let timer;
  source.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, DELAY_MS);
  });
  example.addEventListener('change', () => {
    source.value = EXAMPLES[example.value];
    update();
  });
  for (const control of [context, keys]) control.addEventListener('change', update);
  element('link').addEventListener('click', link);
  element('report').addEventListener('click', () => copy(report(), 'The bug report is on the clipboard.'));
  update();
}

start();
