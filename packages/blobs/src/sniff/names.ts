/** Types of text, which bytes do not tell apart. */
const TEXTS: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mdx: 'text/markdown',
  mjs: 'text/javascript',
  tsv: 'text/tab-separated-values',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Types whose files begin like those of a more general one. */
const WITHIN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${OFFICE}.wordprocessingml.document`,
    pptx: `${OFFICE}.presentationml.presentation`,
    xlsx: `${OFFICE}.spreadsheetml.sheet`,
  },
  'application/x-cfb': {
    doc: 'application/msword',
    ppt: 'application/vnd.ms-powerpoint',
    xls: 'application/vnd.ms-excel',
  },
};

/** The type of a text with this file name. */
export function textTypeOf(name: string): string {
  return lookUp(TEXTS, extensionOf(name)) ?? 'text/plain';
}

/** What bytes of a general type are, as far as the file name tells. */
export function refine(general: string, name: string): string {
  const types = lookUp(WITHIN, general);
  return types === undefined ? general : (lookUp(types, extensionOf(name)) ?? general);
}

function extensionOf(name: string): string {
  return /\.(?<extension>[a-z0-9]{1,16})$/iu.exec(name)?.groups?.['extension']?.toLowerCase() ?? '';
}

/** Names are the caller's; those of every object's prototype are none of the table. */
function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
