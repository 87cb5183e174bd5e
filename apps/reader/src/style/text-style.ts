const colors = ['green', 'blue', 'red', 'orange', 'yellow', 'purple', 'pink', 'violet', 'cyan'] as const;
const onLight = ['#18703c', '#1f5fbf', '#b3261e', '#994700', '#755c00', '#7333b3', '#a82372', '#5a3fc0', '#0b6a75'];
const onDark = ['#7ddba1', '#8cb8ff', '#ff9d94', '#ffb27a', '#e8cf6a', '#cfa5ff', '#ff9fd0', '#b6a6ff', '#74d5e2'];

const named = (texts: readonly string[]): string =>
  colors.map((name, index) => `--${name}: ${texts[index] ?? ''};`).join(' ');
const marks = [...colors, 'primary', 'info', 'success', 'warning', 'danger'].map(
  (name) =>
    `.text-${name} { color: var(--${name}); } .back-${name} { background: color-mix(in srgb, var(--${name}) 14%, var(--back)); }`,
);
const widths = Array.from(
  { length: 20 },
  (_, index) => `.width-${(index + 1) * 5} { flex: 0 1 calc(${(index + 1) * 5}% - 1.5rem); }`,
);

/** The text of a page: all kinds of blocks and marks. */
export const textStyle = `
:root { ${named(onLight)} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${named(onDark)} } }
:root[data-theme="dark"] { ${named(onDark)} }
${marks.join('\n')}
.text-tint, .back-tint { background: var(--surface); }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 0.5rem; letter-spacing: -0.01em; }
h2 { font-size: 1.5rem; line-height: 1.3; margin: 2.25rem 0 0.75rem; }
h3 { font-size: 1.2rem; line-height: 1.35; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
.lead { font-size: 1.15rem; color: var(--soft); margin: 0 0 1.5rem; }
.text > :first-child { margin-top: 1rem; }
.text p, .text ul, .text ol, .text pre, .text blockquote, .text details, .text figure, .text .table, .text .hint, .text .card { margin: 0 0 1.1rem; }
.text li > p { margin-bottom: 0.4rem; } .text li { margin: 0.25rem 0; } .text li > ul, .text li > ol { margin-bottom: 0; }
.anchor { margin-inline-start: 0.4rem; text-decoration: none; color: var(--soft); opacity: 0; }
:hover > .anchor, .anchor:focus { opacity: 1; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--soft); }
.align-center { text-align: center; } .align-end { text-align: end; }
.tasks { list-style: none; padding: 0; } .tasks > li { display: flex; gap: 0.6rem; align-items: baseline; }
.hint { padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--tone); --tone: var(--info); border-radius: var(--corner); background: color-mix(in srgb, var(--tone) 7%, var(--back)); display: flex; gap: 0.75rem; }
.hint > .icon { flex: none; color: var(--tone); font-size: 1.15rem; line-height: 1.45; } .hint > div { min-width: 0; flex: 1; }
.hint > div > :first-child { margin-top: 0; }
.hint > div > :last-child, .card > :last-child, td > :last-child { margin-bottom: 0 !important; }
.hint.success { --tone: var(--success); } .hint.warning { --tone: var(--warning); } .hint.danger { --tone: var(--danger); }
.images { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center; margin: 0 0 1.1rem; }
.images-left { justify-content: flex-start; } .images-right { justify-content: flex-end; }
.images figure { margin: 0; flex: 0 1 auto; min-width: 0; } .images img { height: auto; border-radius: var(--corner); display: block; }
.images.framed { padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: var(--corner); }
figcaption { font-size: 0.875rem; color: var(--soft); text-align: center; margin-top: 0.4rem; } figcaption p { margin: 0 !important; }
.inline-image { vertical-align: middle; height: auto; } .line-image { height: 1.2em; width: auto; vertical-align: text-bottom; }
.page-cover { width: 100%; max-height: 20rem; object-fit: cover; border-radius: var(--corner); margin-bottom: 1.5rem; }
.card { padding: 0.8rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); position: relative; }
p.card > a::after, figure.card > a::after { content: ""; position: absolute; inset: 0; } .card:hover:has(> a, > .card-link) { border-color: var(--primary); } figure.card > figcaption a { position: relative; z-index: 1; }
@media (hover: none) { .anchor { opacity: 0.6; } blockquote .anchor { opacity: 1; text-decoration: underline; } }
.embedded { margin: 0 0 1.1rem; } .embedded > iframe { display: block; width: 100%; aspect-ratio: 16 / 9; height: auto; border: 1px solid var(--line); border-radius: var(--corner); }
figure.card > :is(a, strong) > .integration-icon { width: 1.5rem; height: 1.5rem; object-fit: contain; margin-inline-end: 0.6rem; vertical-align: middle; } figure.card > strong > .icon { margin-inline-end: 0.6rem; color: var(--soft); } figure.card > p { margin: 0.35rem 0 0; }
.component { margin: 0 0 1.1rem; } .component > :last-child, .stack-row > *, .stack-column > :last-child { margin-bottom: 0; } .component .card > p { margin-bottom: 0.5rem; } .component-image { max-width: 100%; height: auto; border-radius: var(--corner); }
.stack-row { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: flex-start; margin-bottom: 0.75rem; } .stack-row > :is(div, figure, p) { min-width: 0; margin-bottom: 0; } .stack-row > :is(.card, .stack-column) { flex: 1 1 14rem; } .stack-row.stack-center { align-items: center; } .stack-row.stack-end { align-items: flex-end; } .stack-column { margin-bottom: 0.75rem; } .stack-column.stack-center { text-align: center; } .stack-column.stack-end { text-align: end; }
.embedded.shape-21-9 > iframe { aspect-ratio: 21 / 9; } .embedded.shape-4-3 > iframe { aspect-ratio: 4 / 3; } .embedded.shape-1-1 > iframe { aspect-ratio: 1; } .embedded.shape-3-4 > iframe { aspect-ratio: 3 / 4; }
figure.card > a > .icon { font-size: 1.4rem; color: var(--soft); margin-inline-end: 0.6rem; vertical-align: middle; }
.card small { color: var(--soft); } .card figcaption, .file figcaption { text-align: start; }
.cards { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; }
.cards.large { grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); }
.cards > .card { margin: 0 !important; overflow: hidden; } .cards > .card:hover { border-color: var(--primary); }
.cover { display: block; width: calc(100% + 2rem); max-width: none; height: 9rem; object-fit: cover; margin: -0.8rem -1rem 0.8rem; }
.card-link { display: inline-block; margin-top: 0.4rem; } .card-link::after { content: ""; position: absolute; inset: 0; }
.table { overflow-x: auto; scrollbar-width: thin; background: linear-gradient(to right, var(--back) 40%, transparent) 0 0 / 3rem 100% local no-repeat, linear-gradient(to left, var(--back) 40%, transparent) 100% 0 / 3rem 100% local no-repeat, linear-gradient(to right, color-mix(in srgb, var(--text) 22%, transparent), transparent) 0 0 / 0.9rem 100% scroll no-repeat, linear-gradient(to left, color-mix(in srgb, var(--text) 22%, transparent), transparent) 100% 0 / 0.9rem 100% scroll no-repeat; }
.table th, .table td { min-width: 6rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.95rem; }
th, td { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { font-weight: 600; border-bottom: 2px solid var(--line); }
td.align-center, th.align-center { text-align: center; } td.align-end, th.align-end { text-align: end; }
.valign-middle { vertical-align: middle; align-self: center; } .valign-bottom { vertical-align: bottom; align-self: end; }
.sticky-column th:first-child, .sticky-column td:first-child { position: sticky; inset-inline-start: 0; background: var(--back); }
.option { display: inline-block; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: 0.875rem; }
.rating { letter-spacing: 0.1em; color: var(--warning); }
.expandable, .code-more { border: 1px solid var(--line); border-radius: var(--corner); }
.expandable > summary, .code-more > summary { padding: 0.7rem 1rem; cursor: pointer; font-weight: 600; }
.expandable > div, .code-more > :not(summary) { padding: 0 1rem 0.2rem; }
.tabs { border: 0; margin: 0 0 1.1rem; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; column-gap: 0.25rem; }
.tabs > input { position: absolute; opacity: 0; pointer-events: none; }
.tabs > label { order: 0; padding: 0.45rem 0.9rem; cursor: pointer; color: var(--soft); border-bottom: 2px solid transparent; }
.tabs > input:checked + label { color: var(--primary); border-color: var(--primary); font-weight: 600; }
.tabs > input:focus-visible + label { outline: 2px solid var(--primary); outline-offset: 2px; }
.tabs > .tab { order: 1; flex: 0 0 100%; min-width: 0; display: none; padding-top: 1rem; border-top: 1px solid var(--line); margin-top: -1px; }
.tabs > input:checked + label + .tab { display: block; }
.steps { list-style: none; padding: 0; counter-reset: step; }
.steps > li { position: relative; padding: 0 0 1rem; padding-inline-start: 3rem; margin: 0; counter-increment: step; }
.steps > li::before { content: counter(step); position: absolute; inset-inline-start: 0; top: 0; width: 2rem; height: 2rem; display: grid; place-items: center; border-radius: 50%; background: var(--surface); border: 1px solid var(--line); font-weight: 600; font-size: 0.9rem; }
.steps > li:not(:last-child)::after { content: ""; position: absolute; inset-inline-start: 1rem; top: 2.2rem; bottom: 0; border-inline-start: 1px solid var(--line); }
.steps > li > :first-child { margin-top: 0; }
.columns { display: flex; gap: 1.5rem; flex-wrap: wrap; } .column { flex: 1 1 12rem; min-width: 0; }
${widths.join(' ')}
@media (max-width: 50rem) { .columns { flex-direction: column; } .column { flex: 1 1 auto; } }
.update { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.5rem 1.5rem; padding: 1.25rem 0; border-top: 1px solid var(--line); }
.update time { color: var(--soft); font-size: 0.9rem; } .update h2, .update h3 { margin-top: 0; }
@media (max-width: 50rem) { .update { display: block; } }
.button { display: inline-block; padding: 0.45rem 1.1rem; border-radius: var(--corner); background: var(--primary); color: var(--on-primary); text-decoration: none; font-weight: 600; border: 1px solid var(--primary); }
.button.secondary { background: transparent; color: var(--primary); } .button.small { padding: 0.2rem 0.7rem; font-size: 0.9rem; } .button.large { padding: 0.7rem 1.5rem; }
.icon > svg { width: 1.1em; height: 1.1em; vertical-align: -0.15em; }
.note-number { font-size: 0.75em; line-height: 0; } .notes { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; font-size: 0.9rem; } .notes li > p { display: inline; }
.math { overflow-x: auto; overflow-y: hidden; } div.math { padding: 0.3rem 0; margin: 0 0 1.1rem; text-align: center; } .formula { white-space: pre-wrap; }
`;
