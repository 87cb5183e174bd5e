import { codeFonts, textFonts } from './font-names.js';

/** Colors, and what stands around the text of a page. */
const light = `
  --back: #ffffff; --surface: #f6f7f9; --line: #d9dde3; --text: #1b1f26; --soft: #555e6b;
  --info: #1f5fbf; --success: #18703c; --warning: #8a5300; --danger: #b3261e;
  --code-key: #8a1f86; --code-string: #11653a; --code-number: #8a4600; --code-comment: #5b6470; --code-name: #1a55a8;
`;
const dark = `
  --back: #14171c; --surface: #1d2128; --line: #343b46; --text: #e7eaef; --soft: #a9b2bf;
  --info: #8cb8ff; --success: #7ddba1; --warning: #f2be6b; --danger: #ff9d94;
  --code-key: #e39be0; --code-string: #8fdcae; --code-number: #f0b985; --code-comment: #9aa4b1; --code-name: #9cc2ff;
`;

export const layoutStyle = `
:root { color-scheme: light dark; --primary: #1f5fbf; --on-primary: #ffffff; --corner: 8px; --text-font: ${textFonts}; --code-font: ${codeFonts}; ${light} }
:root[data-theme="light"] { color-scheme: light; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --primary: #8cb8ff; --on-primary: #14171c; ${dark} } }
:root[data-theme="dark"] { color-scheme: dark; --primary: #8cb8ff; --on-primary: #14171c; ${dark} }
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.65 var(--text-font); overflow-wrap: break-word; }
img, picture { max-width: 100%; }
a { color: var(--primary); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; padding: 0.5rem 1rem; background: var(--back); z-index: 10; }
.skip:focus { left: 1rem; top: 1rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--back); position: sticky; top: 0; z-index: 5; }
.top .name { font-weight: 650; font-size: 1.1rem; color: inherit; text-decoration: none; }
.top .name img { max-height: 2rem; display: block; }
.top nav ul, .sections ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; }
.top nav a, .sections a, .menu summary { color: var(--soft); text-decoration: none; }
.top nav a:hover, .sections a:hover, .menu summary:hover { color: var(--text); }
form[role="search"] { display: flex; gap: 0.5rem; margin-left: auto; }
main form[role="search"] { margin: 0 0 1rem; }
input[type="search"] { font: inherit; padding: 0.35rem 0.75rem; width: 15rem; max-width: 55vw; border: 1px solid var(--soft); border-radius: var(--corner); background: var(--back); color: inherit; }
input::placeholder { color: var(--soft); opacity: 1; }
form button { font: inherit; padding: 0.35rem 0.9rem; border: 1px solid var(--soft); border-radius: var(--corner); background: var(--surface); color: inherit; cursor: pointer; }
.to-pages { display: none; color: var(--soft); }
.sections { padding: 0 1.5rem; border-bottom: 1px solid var(--line); }
.sections a, .sections .menu > summary { display: block; padding: 0.55rem 0; border-bottom: 2px solid transparent; }
.sections a[aria-current] { color: var(--primary); border-color: var(--primary); font-weight: 600; }
.menu { position: relative; }
.menu > summary { cursor: pointer; }
.menu > ul { position: absolute; z-index: 6; flex-direction: column; min-width: 12rem; padding: 0.5rem 1rem !important; background: var(--back); border: 1px solid var(--line); border-radius: var(--corner); list-style: none; margin: 0; }
.variants { margin-bottom: 1rem; }
.variants > summary { border: 1px solid var(--line); border-radius: var(--corner); padding: 0.35rem 0.75rem; color: var(--text); }
.variants > ul { display: block; width: 100%; }
.variants a[aria-current] { font-weight: 600; }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 14rem; max-width: 92rem; margin: 0 auto; }
.beside { grid-column: 1; padding: 1.5rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); font-size: 0.95rem; }
.frame > main { grid-column: 2; padding: 1.75rem 2.5rem 4rem; max-width: 56rem; width: 100%; margin: 0 auto; min-width: 0; }
.frame > main.wide { grid-column: 2 / 4; max-width: none; }
.outline { grid-column: 3; padding: 1.9rem 1.5rem 2rem 0; font-size: 0.875rem; }
@media (min-width: 72rem) {
  .beside, .outline { position: sticky; top: 3.75rem; align-self: start; max-height: calc(100vh - 3.75rem); overflow-y: auto; }
}
.outline p { margin: 0 0 0.5rem; font-weight: 600; }
.outline ul, .narrow-outline ul { list-style: none; margin: 0; padding: 0; }
.outline a { display: block; padding: 0.2rem 0; color: var(--soft); text-decoration: none; }
.outline a:hover { color: var(--text); }
.level-2 { padding-left: 0.9rem; } .level-3 { padding-left: 1.8rem; }
.narrow-outline { display: none; margin: 0 0 1.5rem; padding: 0.5rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); }
.pages ul { list-style: none; margin: 0; padding: 0; }
.pages ul ul { padding-left: 0.75rem; border-left: 1px solid var(--line); margin-left: 0.6rem; }
.pages .group > ul { padding: 0; margin: 0; border: 0; }
.pages .group > p { margin: 1.25rem 0 0.25rem 0.6rem; font-size: 0.8rem; font-weight: 650; letter-spacing: 0.02em; color: var(--soft); }
.pages a, .pages li > span { display: block; padding: 0.3rem 0.6rem; border-radius: var(--corner); color: var(--text); text-decoration: none; }
.pages a:hover { background: var(--surface); }
.pages a[aria-current] { background: var(--surface); color: var(--primary); font-weight: 600; }
.pages .branch { position: relative; }
.pages .branch > a, .pages .branch > span { margin-right: 2rem; }
.pages .branch > details > summary { position: absolute; right: 0; top: 0.1rem; width: 1.9rem; height: 1.9rem; list-style: none; cursor: pointer; border-radius: var(--corner); }
.pages .branch > details > summary::-webkit-details-marker { display: none; }
.pages .branch > details > summary::before { content: ""; position: absolute; left: 0.65rem; top: 0.6rem; width: 0.45rem; height: 0.45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.pages .branch > details[open] > summary::before { transform: rotate(45deg); }
.pages .opener { position: absolute; right: 0; top: 0.1rem; width: 1.9rem; height: 1.9rem; padding: 0; } .pages .group > .opener { position: static; display: inline-block; margin-left: 0.6rem; }
.pages .opener::before { content: ""; position: absolute; left: 0.65rem; top: 0.6rem; width: 0.45rem; height: 0.45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); } .pages .group { position: relative; }
.pages .opener[aria-busy]::before { opacity: 0.3; } .more-pages > a { font-size: 0.85rem; color: var(--soft); }
.crumbs ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0 0 0.75rem; padding: 0; font-size: 0.875rem; color: var(--soft); }
.crumbs li:not(:last-child)::after { content: "/"; margin: 0 0.5rem; }
.crumbs a { color: inherit; }
.pager { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; margin-top: 3rem; }
.pager a { flex: 0 1 48%; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); text-decoration: none; }
.pager a[rel="next"] { margin-left: auto; text-align: right; }
.pager small { display: block; color: var(--soft); }
.feedback { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 3rem; } .feedback p { margin: 0 0.5rem 0 0; }
.actions { margin: 0 0 1rem; font-size: 0.875rem; }
.themes { display: flex; flex-wrap: wrap; gap: 0.25rem; } .themes button { padding: 0.2rem 0.6rem; font-size: 0.85rem; }
.themes button[aria-pressed="true"] { border-color: var(--primary); color: var(--primary); font-weight: 600; }
.changed { color: var(--soft); font-size: 0.875rem; margin-top: 2rem; }
.announcement { padding: 0.5rem 1.5rem; text-align: center; background: var(--surface); border-bottom: 1px solid var(--line); }
.bottom { display: flex; flex-wrap: wrap; gap: 1.5rem 4rem; padding: 2rem 1.5rem; border-top: 1px solid var(--line); font-size: 0.9rem; color: var(--soft); }
.bottom h2 { font-size: 0.9rem; margin: 0 0 0.5rem; } .bottom ul { list-style: none; margin: 0; padding: 0; }
.results ol { list-style: none; padding: 0; } .results > ol > li { margin-bottom: 1.25rem; }
.results small { display: block; color: var(--soft); } .results .result { font-weight: 600; }
.results ul { margin: 0.25rem 0 0; padding-left: 1.25rem; color: var(--soft); }
.problem { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
@media (max-width: 72rem) {
  .frame { grid-template-columns: 15rem minmax(0, 1fr); }
  .outline { display: none; } .narrow-outline { display: block; }
  .frame > main.wide { grid-column: 2; }
}
@media (max-width: 50rem) {
  .frame { display: flex; flex-direction: column; }
  .beside { order: 2; border-right: 0; border-top: 1px solid var(--line); padding: 1rem; }
  .to-pages { display: inline; }
  .frame > main { padding: 1.25rem 1rem 3rem; }
  .top { position: static; padding: 0.75rem 1rem; } form[role="search"] { margin-left: 0; }
}
@media print {
  .top, .sections, .beside, .outline, .narrow-outline, .actions, .feedback, .pager, .bottom, .skip, .anchor { display: none !important; }
  .frame { display: block; }
}
`;
