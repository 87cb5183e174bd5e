/** How languages of code are called, by the names that authors give them. */
const names: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  console: 'Console',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  golang: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  http: 'HTTP',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  lua: 'Lua',
  markdown: 'Markdown',
  md: 'Markdown',
  mermaid: 'Mermaid',
  php: 'PHP',
  powershell: 'PowerShell',
  proto: 'Protocol Buffers',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  svelte: 'Svelte',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  vue: 'Vue',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Zsh',
};
/** Names that say nothing. */
const plain = new Set(['', 'none', 'plain', 'plaintext', 'text', 'txt']);

/** The name of a language as people know it; empty for a text that has none. */
export function languageName(syntax: string): string {
  const name = syntax.toLowerCase();
  if (plain.has(name)) return '';
  return Object.hasOwn(names, name) ? (names[name] ?? syntax) : syntax;
}
