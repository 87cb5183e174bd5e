/** What themes, headers and links of a site look like, by the classes of its pages. */
export const lookStyle = `
.look-muted { --page: var(--surface); } .look-muted .frame > main { background: var(--back); border-inline: 1px solid var(--line); min-height: 70vh; } .look-muted .beside { border-color: transparent; } .look-muted .top, .look-muted .bottom, .look-muted .sections { background: var(--surface); }
.look-bold .top { background: var(--primary); color: var(--on-primary); border-color: var(--primary); } .look-bold h1 { font-size: 2.5rem; font-weight: 800; } .look-bold h2 { font-weight: 750; }
.look-gradient { --page: linear-gradient(160deg, color-mix(in srgb, var(--primary) 16%, var(--back)), var(--back) 32rem) no-repeat, var(--back); } .look-gradient .top, .look-gradient .sections { background: color-mix(in srgb, var(--primary) 8%, var(--back)); border-color: transparent; }
.icons-light .icon > svg * { stroke-width: 1.5; } .icons-thin .icon > svg * { stroke-width: 1; } .icons-duotone .icon > svg [fill="none"], .icons-duotone .icon > svg > [fill="none"] > * { fill: color-mix(in srgb, currentcolor 18%, transparent); }
.header-bold .top { background: var(--primary); color: var(--on-primary); border-color: var(--primary); }
.header-contrast .top { background: var(--text); color: var(--back); border-color: var(--text); } .header-none .top { display: none; } .header-none { --top: 0rem; }
:is(.look-bold, .header-bold, .header-contrast) .top > .links > ul > li > :is(a:not(.button), .menu > summary, .menu):not(ul) { color: inherit; } :is(.look-bold, .header-bold, .header-contrast) .top > .links .menu > summary { color: inherit; }
:is(.look-bold, .header-bold, .header-contrast) .top .button { background: var(--back); color: var(--primary); border-color: var(--back); } :is(.look-bold, .header-bold, .header-contrast) .top :focus-visible { outline-color: currentcolor; }
.depth-subtle :is(.card, .hint, .pager a, figure.code > pre) { box-shadow: 0 1px 3px rgb(0 0 0 / 8%); } .depth-subtle .card:hover { box-shadow: 0 4px 12px rgb(0 0 0 / 14%); }
.links-default .text :is(p, li, td) > a:not(.button, .card-link) { color: inherit; text-decoration-color: var(--primary); text-decoration-thickness: 2px; } .links-default .text :is(p, li, td) > a:not(.button, .card-link):hover { color: var(--primary); }
@media (max-width: 50rem) { .header-none .top { display: flex; } .header-none { --top: 3.25rem; } .look-muted .frame > main { border: 0; } }
`;
