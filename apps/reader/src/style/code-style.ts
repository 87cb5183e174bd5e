/** Code, in lines. */
export const codeStyle = `
code, kbd, pre { font-family: var(--code-font); font-size: 0.875em; }
:not(pre) > code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--surface); border: 1px solid var(--line); }
a > code { color: inherit; }
kbd { padding: 0.1em 0.4em; border: 1px solid var(--soft); border-bottom-width: 2px; border-radius: 4px; }
pre { overflow-x: auto; padding: 1rem 0; direction: ltr; text-align: left; border: 1px solid var(--line); border-radius: var(--corner); line-height: 1.55; counter-reset: line; tab-size: 4; background: var(--surface); }
pre code { display: block; width: max-content; min-width: 100%; font-size: inherit; }
pre > code:not(:has(.line)) { padding: 0 1rem; }
.line { padding: 0 1rem; display: block; min-height: 1.55em; position: relative; }
pre.wrap code { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; } pre.wrap .line { padding-left: 3rem; text-indent: -2rem; } pre.wrap .line > * { text-indent: 0; }
.line.marked { background: color-mix(in srgb, var(--primary) 14%, transparent); box-shadow: inset 3px 0 var(--primary); }
.line.added { background: color-mix(in srgb, var(--success) 14%, transparent); box-shadow: inset 3px 0 var(--success); } .line.removed { background: color-mix(in srgb, var(--danger) 14%, transparent); box-shadow: inset 3px 0 var(--danger); }
.numbered .line { padding-left: 4rem; } .numbered .line::before { counter-increment: line; content: counter(line); position: absolute; left: 0; width: 3rem; text-align: right; text-indent: 0; color: var(--code-comment); user-select: none; } pre.wrap.numbered .line { padding-left: 6rem; }
figure.code { position: relative; margin: 0 0 1.1rem; } figure.code > pre { margin: 0 !important; }
figure.code > figcaption { display: flex; align-items: center; gap: 0.75rem; min-height: 2.3rem; padding: 0.25rem 0.5rem 0.25rem 1rem; border: 1px solid var(--line); border-bottom: 0; border-radius: var(--corner) var(--corner) 0 0; font-size: 0.875rem; color: var(--soft); background: var(--surface); text-align: start; margin: 0; }
figure.code > figcaption + pre { border-radius: 0 0 var(--corner) var(--corner); } figure.code > figcaption .title { color: var(--text); font-weight: 500; overflow-wrap: anywhere; min-width: 0; }
figure.code .language { font-size: 0.8rem; } figure.code figcaption > :nth-last-child(1 of .language, .copy) { flex: none; } figure.code .copy { margin-inline-start: auto; flex: none; } figure.code > .copy { position: absolute; top: 0.5rem; right: 0.5rem; }
.hljs-keyword, .hljs-selector-tag, .hljs-doctag, .hljs-template-tag { color: var(--code-key); }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-template-variable { color: var(--code-string); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet, .hljs-variable, .hljs-built_in { color: var(--code-number); }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--code-comment); }
.hljs-title, .hljs-section, .hljs-name, .hljs-attr, .hljs-attribute, .hljs-type, .hljs-selector-class, .hljs-selector-id { color: var(--code-name); }
.hljs-deletion { color: var(--danger); } .line.removed .hljs-deletion, .line.added .hljs-addition { color: var(--text); } .hljs-emphasis { font-style: italic; } .hljs-strong { font-weight: 700; }
`;
