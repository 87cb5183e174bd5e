/** What text is shown in where a site has no font of its own. */
export const textFonts = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
/** The same for code. */
export const codeFonts = 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';
