/** Cards that show parts of APIs. What is not in sight is not laid out, so that pages of many cards come up soon. */
export const apiStyle = `
.operation, .schemas > .schema { content-visibility: auto; contain-intrinsic-size: auto 60rem; } .schemas > .schema { contain-intrinsic-size: auto 12rem; }
.operation { padding: 1rem 1.25rem 1.25rem; } .text .operation { margin-bottom: 2rem; }
.operation p, .schema p { margin-bottom: 0.5rem; } .operation ul, .schema ul { margin-bottom: 0.6rem; }
.operation pre, .operation .tabs, .schema .tabs { margin-bottom: 0.9rem; }
.call { display: flex; gap: 0.6rem; align-items: baseline; padding-bottom: 0.9rem; border-bottom: 1px solid var(--line); }
.operation > .call:last-child { padding-bottom: 0; border: 0; }
.call > code { background: none; border: 0; padding: 0; font-size: 1rem; overflow-wrap: anywhere; min-width: 0; }
.method { flex: none; font-family: var(--code-font); border-radius: 4px; font-size: 0.8rem; letter-spacing: 0.03em; padding: 0.15em 0.6em; background: var(--soft); color: var(--back); }
.call-get > .method { background: var(--info); color: var(--on-primary); } .call-post > .method { background: var(--success); color: var(--on-primary); }
.call-put > .method, .call-patch > .method { background: var(--warning); color: var(--on-primary); } .call-delete > .method { background: var(--danger); color: var(--on-primary); }
.call var, .servers var { font-style: normal; font-weight: 600; color: var(--primary); font-family: var(--code-font); }
.operation .part { margin: 1.6rem 0 0.6rem; font-size: 1.02rem; line-height: 1.4; }
.servers { list-style: none; padding: 0; } .servers > li > code { overflow-wrap: anywhere; }
.type, .type-line, .constraints { color: var(--soft); font-size: 0.9rem; }
.constraints code, .values code { font-size: 0.9em; overflow-wrap: anywhere; } p.values, ul.values, .scopes { font-size: 0.9rem; }
.label { display: inline-block; font-size: 0.78rem; line-height: 1.5; padding: 0 0.45rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); background: var(--back); }
.label.required { color: var(--danger); border-color: currentcolor; } .label.deprecated { color: var(--warning); border-color: currentcolor; } .label.stability { color: var(--info); border-color: currentcolor; }
.fields { list-style: none; padding: 0; } .fields > li { margin: 0; padding: 0.55rem 0; border-top: 1px solid var(--line); }
.fields > li:last-child { border-bottom: 1px solid var(--line); } .fields > li > :last-child { margin-bottom: 0; }
.fields .field { margin: 0; } .fields .field + p, .fields .field + p + p { margin: 0.15rem 0 0; } .fields .name { font-weight: 600; background: none; border: 0; padding: 0; overflow-wrap: anywhere; }
.fields .fields { margin: 0.5rem 0 0 0.3rem; padding-left: 0.9rem; border-left: 2px solid var(--line); } .fields .fields > li:first-child { border-top: 0; } .fields .fields > li:last-child { border-bottom: 0; padding-bottom: 0; }
.fields summary { cursor: pointer; } .fields details { margin: 0; } .fields .more { color: var(--soft); font-size: 0.9rem; }
.operation details > summary, .schema details > summary { cursor: pointer; }
.response { border: 1px solid var(--line); border-radius: var(--corner); padding: 0.55rem 0.9rem; } .text .response { margin-bottom: 0.5rem; }
.response > div { padding-top: 0.6rem; } .response > div > :last-child { margin-bottom: 0.2rem; }
.status { font-family: var(--code-font); font-size: 0.9rem; }
.status-2 { color: var(--success); } .status-3 { color: var(--info); } .status-4 { color: var(--warning); } .status-5 { color: var(--danger); }
.tabs > legend { padding: 0; font-size: 0.9rem; color: var(--soft); } .code-title { font-size: 0.9rem; color: var(--soft); }
.operation .tabs > label, .schema .tabs > label { padding: 0.3rem 0.6rem; font-size: 0.9rem; overflow-wrap: anywhere; } .operation .tabs > .tab, .schema .tabs > .tab { padding-top: 0.7rem; }
.operation pre, .schema pre { max-height: 26rem; overflow: auto; }
.schema + .schema { margin-top: 1.2rem; } .schema-name { font-size: 1.05rem; font-weight: 600; } .schema-name code { background: none; border: 0; padding: 0; }
:target { scroll-margin-top: 5rem; } .schema:has(> :target) { border-color: var(--primary); }
@media (max-width: 50rem) { .operation { padding: 0.8rem 0.8rem 1rem; } .call { flex-direction: column; gap: 0.3rem; } .method { align-self: flex-start; } .fields .fields { padding-left: 0.6rem; } }
`;
