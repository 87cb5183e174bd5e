/** How pages look on paper: the text alone, with all that is closed on a screen, and where links lead. */
export const printStyle = `
@media print {
  .top, .sections, .beside, .outline, .narrow-outline, .actions, .feedback, .pager, .bottom, .skip, .anchor, .announcement, .copy, .code-more > summary { display: none !important; }
  :root:root { color-scheme: light; --back: #ffffff; --page: #ffffff; --surface: #f6f7f9; --text: #000000; --soft: #444444; --line: #bbbbbb; }
  .frame, .frame > main { display: block; max-width: none; padding: 0; border: 0; background: none; } body { font-size: 10.5pt; }
  pre, .wrap { white-space: pre-wrap; overflow: visible !important; max-height: none !important; } pre code { width: auto !important; white-space: pre-wrap; overflow-wrap: anywhere; }
  .table { overflow: visible; background: none; } .tabs { display: block; } .tabs > .tab { display: block; border: 0; } .tabs > label { display: block; border: 0; padding-inline: 0; font-weight: 600; color: inherit; }
  details::details-content { content-visibility: visible; block-size: auto; } details > :not(summary) { display: block; }
  h1, h2, h3, h4 { break-after: avoid; } figure, tr, .hint, .card, pre { break-inside: avoid; } p, li { orphans: 3; widows: 3; }
  .text a[href^="http"]:not(.button, .card-link, .card > a)::after { content: " (" attr(href) ")"; font-size: 0.85em; overflow-wrap: anywhere; color: #444444; }
}
`;
