import { dark, light } from './colors.js';
import { codeFonts, textFonts } from './font-names.js';

/** What stands around the text of a page. */
export const layoutStyle = `
:root { color-scheme: light dark; --primary: #1f5fbf; --on-primary: #ffffff; --corner: 8px; --text-font: ${textFonts}; --code-font: ${codeFonts}; --top: 3.75rem; ${light} }
:root[data-theme="light"] { color-scheme: light; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --primary: #8cb8ff; --on-primary: #14171c; ${dark} } }
:root[data-theme="dark"] { color-scheme: dark; --primary: #8cb8ff; --on-primary: #14171c; ${dark} }
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page, var(--back)); color: var(--text); font: 1rem/1.65 var(--text-font); overflow-wrap: break-word; }
img, picture { max-width: 100%; }
a { color: var(--primary); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; inset-inline-start: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--back); z-index: 10; } .skip:not(:focus) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.on-dark { display: none; } @media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) .on-dark { display: inline; } :root:not([data-theme="light"]) .on-light { display: none; } }
:root[data-theme="dark"] .on-dark { display: inline; } :root[data-theme="dark"] .on-light { display: none; }
.top { display: flex; align-items: center; gap: 0.5rem 1.5rem; min-height: var(--top); padding: 0.6rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--back); position: sticky; top: 0; z-index: 5; }
.top .name { font-weight: 650; font-size: 1.1rem; color: inherit; text-decoration: none; min-width: 0; }
.top .name img { max-height: 2rem; vertical-align: middle; }
.links ul, .sections ul { list-style: none; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; margin: 0; padding: 0; }
.links a:not(.button), .sections a, .menu summary { color: var(--soft); text-decoration: none; }
.links a:not(.button):hover, .sections a:hover, .menu summary:hover { color: var(--text); }
form[role="search"] { position: relative; display: flex; margin-inline-start: auto; }
main form[role="search"] { margin: 0 0 1rem; max-width: 40rem; } main form[role="search"] input { width: 100%; max-width: none; }
input[type="search"] { font: inherit; padding: 0.4rem 2.6rem 0.4rem 0.8rem; width: 16rem; max-width: 55vw; border: 1px solid var(--soft); border-radius: var(--corner); background: var(--back); color: var(--text); padding-inline: 0.8rem 2.6rem; }
input::placeholder { color: var(--soft); opacity: 1; } input[type="search"]::-webkit-search-cancel-button { display: none; }
form[role="search"] > button { position: absolute; inset-inline-end: 0; top: 0; height: 100%; padding: 0 0.75rem; border: 0; background: none; color: var(--soft); }
.search-prominent .top input[type="search"] { width: 24rem; }
.found { position: absolute; z-index: 8; top: calc(100% + 0.4rem); inset-inline-end: 0; width: min(36rem, 92vw); max-height: 75vh; overflow-y: auto; padding: 0.9rem 1.1rem; background: var(--back); color: var(--text); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: 0 10px 30px rgb(0 0 0 / 18%); font-size: 0.95rem; }
.found h2 { font-size: 0.85rem; margin: 0.8rem 0 0.3rem; color: var(--soft); } .found p { margin: 0; } .found .result:focus { outline-offset: 3px; }
mark { background: color-mix(in srgb, var(--warning) 22%, var(--back)); color: var(--text); border-radius: 2px; }
form button { font: inherit; padding: 0.35rem 0.9rem; border: 1px solid var(--soft); border-radius: var(--corner); background: var(--surface); color: inherit; cursor: pointer; }
.sections { padding: 0 1.5rem; border-bottom: 1px solid var(--line); background: var(--back); }
.sections > ul > li > a, .sections > ul > li > .menu > summary { display: block; padding: 0.55rem 0; border-bottom: 2px solid transparent; }
.sections a[aria-current] { color: var(--primary); border-color: var(--primary); font-weight: 600; }
.menu { position: relative; }
.menu > summary { cursor: pointer; }
.menu > ul { position: absolute; z-index: 6; flex-direction: column; align-items: start; min-width: 12rem; padding: 0.5rem 1rem !important; background: var(--back); border: 1px solid var(--line); border-radius: var(--corner); list-style: none; margin: 0; }
.variants { margin-bottom: 1rem; }
.variants > summary { border: 1px solid var(--line); border-radius: var(--corner); padding: 0.35rem 0.75rem; color: var(--text); background: var(--back); }
.variants > ul { display: block; width: 100%; }
.variants a { display: block; padding: 0.2rem 0; color: var(--text); text-decoration: none; } .variants a[aria-current] { font-weight: 600; color: var(--primary); }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 14rem; max-width: 92rem; margin: 0 auto; }
.frame > main { grid-column: 2; padding: 1.75rem 2.5rem 4rem; max-width: 56rem; width: 100%; margin: 0 auto; min-width: 0; }
.frame > main.wide { grid-column: 2 / 4; max-width: none; }
.outline { grid-column: 3; padding: 1.9rem 0 2rem; padding-inline-end: 1.5rem; font-size: 0.875rem; }
.outline p { margin: 0 0 0.5rem; font-weight: 600; }
.outline ul, .narrow-outline ul { list-style: none; margin: 0; padding: 0; }
.outline a { display: block; padding: 0.2rem 0.8rem; color: var(--soft); text-decoration: none; border-inline-start: 2px solid var(--line); }
.outline a:hover { color: var(--text); } .outline a[aria-current] { color: var(--primary); border-color: var(--primary); font-weight: 600; }
.narrow-outline a { display: block; padding: 0.3rem 0; }
.outline .level-2 > a { padding-inline-start: 1.6rem; } .outline .level-3 > a { padding-inline-start: 2.4rem; } .narrow-outline .level-2 { padding-inline-start: 0.9rem; } .narrow-outline .level-3 { padding-inline-start: 1.8rem; }
.narrow-outline { display: none; margin: 0 0 1.5rem; padding: 0.5rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); } .narrow-outline > summary { cursor: pointer; }
.crumbs ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0 0 0.75rem; padding: 0; font-size: 0.875rem; color: var(--soft); }
.crumbs li:not(:last-child)::after { content: "/"; margin: 0 0.5rem; }
.crumbs a { color: inherit; }
.pager { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; margin-top: 3rem; }
.pager a { flex: 0 1 48%; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: var(--corner); text-decoration: none; } .pager a:hover { border-color: var(--primary); }
.pager a[rel="next"] { margin-inline-start: auto; text-align: end; }
.pager small { display: block; color: var(--soft); }
.feedback { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-top: 3rem; } .feedback p { margin: 0; margin-inline-end: 0.5rem; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; min-height: 2rem; margin: 0 0 1rem; font-size: 0.875rem; }
.copy { font: inherit; font-size: 0.8rem; padding: 0.15rem 0.6rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--back); color: var(--soft); cursor: pointer; } .copy:hover { color: var(--text); border-color: var(--soft); }
.copy[hidden] { display: none; } @media (scripting: none) { .copy-page { display: none; } }
.themes { display: flex; margin-inline-start: auto; border: 1px solid var(--line); border-radius: var(--corner); } .themes button { padding: 0.25rem 0.65rem; border: 0; background: none; color: var(--soft); }
.themes button[aria-pressed="true"] { background: var(--surface); color: var(--primary); }
.consent { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.75rem 1.5rem; background: var(--back); border-top: 1px solid var(--line); } .consent p { flex: 1 1 20rem; margin: 0; }
.consent-again button { padding: 0; border: 0; background: none; color: inherit; font: inherit; text-decoration: underline; cursor: pointer; }
.changed { color: var(--soft); font-size: 0.875rem; margin-top: 2rem; }
.announcement { padding: 0.5rem 1.5rem; text-align: center; background: color-mix(in srgb, var(--tone) 12%, var(--back)); border-bottom: 1px solid var(--tone); --tone: var(--info); }
.announcement.warning { --tone: var(--warning); } .announcement.danger { --tone: var(--danger); } .announcement.success { --tone: var(--success); }
.bottom { border-top: 1px solid var(--line); font-size: 0.9rem; color: var(--soft); background: var(--back); } .bottom a { color: inherit; }
.bottom .inside { max-width: 92rem; margin: 0 auto; padding: 1.5rem; } .bottom .groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1.5rem 3rem; margin-bottom: 1.5rem; }
.bottom .last { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; } .bottom .last p { margin: 0; } .bottom .logo img { max-height: 2.5rem; }
.bottom h2 { font-size: 0.9rem; margin: 0 0 0.5rem; color: var(--text); } .bottom ul { list-style: none; margin: 0; padding: 0; }
.results ol { list-style: none; padding: 0; margin: 0; } .results > ol > li { margin-bottom: 1.1rem; }
.results small { display: block; color: var(--soft); } .results .result { font-weight: 600; }
.results ul { margin: 0.25rem 0 0; padding-inline-start: 1.25rem; color: var(--soft); } .elsewhere > summary { cursor: pointer; color: var(--soft); margin: 1rem 0; }
.problem { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
`;
