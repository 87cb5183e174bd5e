/** One example for each rule that GitHub Flavored Markdown adds, and for how each of them meets the others. */
export const GFM_EXAMPLES: readonly string[] = [
  // Tables: the delimiter row, alignment, bars in cells, missing and surplus cells, what ends a table.
  '| one | two |\n| --- | --- |\n| three | four |',
  '| one | two |\n| --- | --- |',
  '| left | mid | right |\n| :-- | :-: | --: |\naa | bb | cc',
  'one | two\n--- | ---\nthree | four',
  '| bar |\n| --- |\n| a `\\|` code |\n| b **\\|** strong |',
  '| few | cells |\n| - | - |\n| alone |\n| three | is | toomany |',
  '| head |\n| - | - |\n| no table |',
  '| head | two |\n| - | - |\n| cell |\n> quote behind\n\nafter',
  '| head |\n| - |\nrow without bars\n\nafter',
  '| head |\n| - |\n# heading behind',
  '| head |\n| - |\n    code behind',
  'text before\n| head |\n| - |\n| cell |',
  '| [link](/url) | ![image](/src) |\n| - | - |\n| <b>bold</b> | ~gone~ |',
  '|  |\n| - |\n| empty head |',
  '| a \\\\| b |\n| - | - |\n| c | d |',
  '> | quoted | table |\n> | - | - |\n> | in | side |\noutside',
  '* | listed |\n  | - |\n  | cell |',
  '\\| not | a |\n| - | - |',
  // Task list items: both marks, nesting, what is no mark.
  '- [ ] todo\n- [x] done',
  '- [X] upper\n  - [ ] inner\n  - plain\n- [ ] outer',
  '1. [ ] numbered\n2. [x] second',
  '- [ ]nospace\n- [] empty\n- [y] letter\n- text [x] late',
  '- [ ]\n- [x] [link](/url)',
  '- [ ] # heading in it',
  // Strikethrough: one and two tildes, three are a fence or nothing, paragraphs end it.
  '~~gone~~ and ~gone too~',
  'This ~~has a\n\nnew paragraph~~.',
  'a ~~~not struck~~~ b',
  '~~one ~two~~ three~',
  '~~**bold** and `code ~~` in it~~',
  'in~~tra~~word and \\~~escaped\\~~',
  // Autolinks as people type them: their text stays whatever becomes of the link.
  'www.commonmark.org and www.commonmark.org/help.',
  'http://commonmark.org (see https://encrypted.google.com/search?q=Markup+(business))',
  'https://a.b/c?d=e&f www.google.com/search?q=commonmark&hl;',
  'foo@bar.baz, hello+xyz@mail.example and a.b-c_d@a.b-',
  'mailto:foo@bar.baz xmpp:foo@bar.baz/txt ftp://files.example',
  '**www.example.com** _http://a.b_ ~~a@b.c~~',
  '[www.inside.org](/url) `www.code.org` <www.angle.org>',
  // HTML that GitHub filters: the words inside stay.
  '<strong> <em>emphasis</em> </strong>\n\n<blockquote>\n  inside quote\n</blockquote>',
  'a <title>title</title> b <textarea>area</textarea> c',
  // Footnotes: used twice, unused, nested in containers, long.
  'word[^1] again[^1]\n\n[^1]: the note',
  'word[^long]\n\n[^long]: first part\n\n    second part\n\n    * listed part',
  '[^unused]: nobody refers to it\n\ntext',
  'missing[^none] note',
  '> quoted[^q]\n>\n> [^q]: inside the quote',
  '| cell[^t] |\n| - |\n| body |\n\n[^t]: of a table',
];

const prefixed = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, i) => ((i === 0 ? first : rest) + line).trimEnd())
    .join('\n');

/** Containers around an example, by name. */
export const AROUND: { readonly [name: string]: (text: string) => string } = {
  alone: (text) => text,
  'in a quote': (text) => prefixed(text, '> ', '> '),
  'in a list': (text) => prefixed(text, '* ', '  '),
  'in a numbered list in a quote': (text) => prefixed(prefixed(text, '1. ', '   '), '> ', '> '),
  'between paragraphs': (text) => `before it\n\n${text}\n\nbehind it`,
};
