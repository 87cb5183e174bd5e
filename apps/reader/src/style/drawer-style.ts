/** The pages of a space: beside the text where there is a place for them, else in a drawer that opens over it. */
export const drawerStyle = `
.pages ul { list-style: none; margin: 0; padding: 0; }
.pages ul ul { padding-inline-start: 0.75rem; border-inline-start: 1px solid var(--line); margin-inline-start: 0.6rem; }
.pages .group > ul { padding: 0; margin: 0; border: 0; }
.pages .group > p { margin: 1.25rem 0 0.25rem 0.6rem; font-size: 0.8rem; font-weight: 650; letter-spacing: 0.02em; color: var(--soft); }
.pages a, .pages li > span { display: block; padding: 0.3rem 0.6rem; border-radius: var(--corner); color: var(--text); text-decoration: none; }
.pages a:hover { background: var(--surface); }
.pages a[aria-current] { background: var(--surface); color: var(--primary); font-weight: 600; }
.pages .branch { position: relative; }
.pages .branch > a:not(.opener), .pages .branch > span { margin-inline-end: 2rem; }
.pages .branch > details > summary { position: absolute; inset-inline-end: 0; top: 0.1rem; width: 1.9rem; height: 1.9rem; list-style: none; cursor: pointer; border-radius: var(--corner); }
.pages .branch > details > summary::-webkit-details-marker { display: none; }
.pages .branch > details > summary::before { content: ""; position: absolute; left: 0.65rem; top: 0.6rem; width: 0.45rem; height: 0.45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.pages .branch > details[open] > summary::before { transform: rotate(45deg); }
.pages .opener { position: absolute; inset-inline-end: 0; top: 0.1rem; width: 1.9rem; height: 1.9rem; padding: 0; } .pages .group > .opener { position: static; display: inline-block; margin-inline-start: 0.6rem; }
.pages .opener::before { content: ""; position: absolute; left: 0.65rem; top: 0.6rem; width: 0.45rem; height: 0.45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); } .pages .group { position: relative; }
.pages .opener[aria-busy]::before { opacity: 0.3; } .more-pages > a { font-size: 0.85rem; color: var(--soft); }
[dir="rtl"] .pages .opener::before, [dir="rtl"] .pages .branch > details:not([open]) > summary::before { transform: rotate(135deg); }
.beside { grid-column: 1; padding: 1.5rem 1rem 2rem; padding-inline-start: 1.5rem; border-inline-end: 1px solid var(--line); font-size: 0.95rem; }
.sidebar-filled .beside { background: var(--surface); } .sidebar-filled .pages a:hover, .sidebar-filled .pages a[aria-current] { background: var(--back); }
.list-pill .pages a { border-radius: 2rem; } .list-pill .pages a[aria-current] { background: color-mix(in srgb, var(--primary) 14%, var(--back)); }
.list-line .pages a[aria-current] { background: none; border-radius: 0; box-shadow: inset 2px 0 var(--primary); } [dir="rtl"] .list-line .pages a[aria-current] { box-shadow: inset -2px 0 var(--primary); }
.to-drawer, .to-search, .close { display: none; font-size: 1.15rem; line-height: 1; padding: 0.55rem 0.65rem; border: 0; border-radius: var(--corner); background: none; color: inherit; cursor: pointer; }
.drawer-top .close { font-size: 1.3rem; margin-inline-start: auto; }
@media (min-width: 50.01rem) {
  .beside { display: block; position: static; inset: auto; width: auto; height: auto; margin: 0; border-width: 0; border-inline-end-width: 1px; border-style: solid; border-color: var(--line); background: none; color: inherit; overflow: visible; }
  .narrow-only { display: none !important; }
}
@media (min-width: 72rem) {
  .beside, .outline { position: sticky; top: var(--top); align-self: start; max-height: calc(100vh - var(--top)); overflow-y: auto; }
  .beside { min-height: calc(100vh - var(--top)); }
}
@media (max-width: 72rem) {
  .frame { grid-template-columns: 15rem minmax(0, 1fr); }
  .outline { display: none; } .narrow-outline { display: block; }
  .frame > main.wide { grid-column: 2; }
}
@media (max-width: 50rem) {
  .frame { display: block; } .frame > main { padding: 1.25rem 1rem 3rem; }
  .top { --top: 3.25rem; gap: 0.25rem; padding: 0.25rem 0.4rem; flex-wrap: nowrap; } .top .name { flex: 1; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; padding: 0.3rem 0; }
  .top > .links, .top > form, body > .sections { display: none; } .to-search { display: block; margin-inline-start: auto; }
  @supports selector(:popover-open) {
    .to-drawer, .close { display: block; }
    .beside { inset: 0 auto 0 0; inset-inline: 0 auto; width: min(22rem, 88vw); height: 100%; max-height: none; margin: 0; padding: 0.75rem 1rem 2rem; border: 0; border-inline-end: 1px solid var(--line); background: var(--back); color: var(--text); overflow-y: auto; overscroll-behavior: contain; }
    .beside::backdrop { background: rgb(0 0 0 / 45%); }
  }
  .drawer-top { display: flex; gap: 0.5rem; margin-bottom: 1rem; } .drawer-top form { flex: 1; margin: 0; } .drawer-top input[type="search"] { width: 100%; max-width: none; }
  .narrow-only .links ul, .narrow-only .sections ul { flex-direction: column; align-items: stretch; gap: 0; } .narrow-only .links a:not(.button), .narrow-only .sections a { display: block; padding: 0.4rem 0.6rem; color: var(--text); border: 0; }
  .narrow-only .sections { padding: 0; border: 0; margin-bottom: 0.75rem; } .narrow-only .links { margin-bottom: 0.75rem; } .narrow-only .menu > ul { position: static; border: 0; padding: 0 0 0 1rem !important; } .narrow-only .menu > summary { padding: 0.4rem 0.6rem; color: var(--text); }
  .narrow-only > nav { border-bottom: 1px solid var(--line) !important; padding-bottom: 0.5rem !important; } .pages a, .pages li > span { padding-block: 0.5rem; } .pages .branch > details > summary, .pages .opener { width: 2.75rem; height: 2.75rem; top: 0; } .pages .branch > details > summary::before, .pages .opener::before { left: 1.1rem !important; top: 1rem !important; }
  .pager a { flex-basis: 100%; } .found { position: fixed; top: var(--top); inset-inline: 0.5rem; width: auto; }
  .drawer-top .found { position: static; max-height: none; box-shadow: none; border: 0; padding: 0.75rem 0 0; } .drawer-top form:has(.found:not([hidden])) { flex-direction: column; } .drawer-top form:has(.found) > button { height: 2.6rem; }
}
`;
