import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, isMembers, lineOf, listOf, members, textOf } from '../text/values.js';
import { sampleRequest, type SampleRequest } from './sample-request.js';

/** Code that calls an operation. */
export interface Snippet {
  /** A name of the language that highlighters know. */
  language: string;
  label: string;
  code: string;
}

const most = { samples: 20, characters: 16 * 1024 };

/** Code that calls an operation: what the specification brings, then curl, JavaScript, Python and Go. */
export function snippetsOf(slice: OperationSlice): Snippet[] {
  const request = sampleRequest(slice);
  const made = [
    { language: 'bash', label: 'curl', code: curl(request) },
    { language: 'javascript', label: 'JavaScript', code: javaScript(request) },
    { language: 'python', label: 'Python', code: python(request) },
    { language: 'go', label: 'Go', code: go(request) },
  ];
  return [...givenSamples(slice), ...made].map((snippet) => ({
    ...snippet,
    code: snippet.code.slice(0, most.characters),
  }));
}

function givenSamples({ operation }: OperationSlice): Snippet[] {
  const samples = listOf(operation['x-codeSamples'] ?? operation['x-code-samples']);
  return samples.slice(0, most.samples).flatMap((given) => {
    const sample = members(given);
    const code = textOf(sample['source']);
    const language = lineOf(sample['lang']);
    return code === '' ? [] : [{ language: language.toLowerCase(), label: lineOf(sample['label']) || language, code }];
  });
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = [
    ...headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(textOfBody(body))}`]),
  ];
  return [`curl --request ${method} ${quoted(url)}`, ...lines].join(' \\\n  ');
}

function javaScript({ method, url, headers, body }: SampleRequest): string {
  const options = [`method: ${json(method)},`];
  if (headers.length > 0)
    options.push('headers: {', ...headers.map(([name, value]) => `  ${json(name)}: ${json(value)},`), '},');
  if (body !== undefined)
    options.push(`body: ${'json' in body ? `JSON.stringify(${pretty(body.json)})` : json(body.text)},`);
  return `const response = await fetch(${json(url)}, {\n${indented(options.join('\n'), '  ')}\n});\nconsole.log(response.status, await response.text());`;
}

function python({ method, url, headers, body }: SampleRequest): string {
  const named = [json(method), json(url)];
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `    ${json(name)}: ${json(value)},`);
    named.push(`headers={\n${lines.join('\n')}\n}`);
  }
  if (body !== undefined) named.push('json' in body ? `json=${pythonValue(body.json, '')}` : `data=${json(body.text)}`);
  const call = indented(named.map((argument) => `${argument},`).join('\n'), '    ');
  return `import requests\n\nresponse = requests.request(\n${call}\n)\nprint(response.status_code, response.text)`;
}

function go({ method, url, headers, body }: SampleRequest): string {
  const reader = body === undefined ? 'nil' : `strings.NewReader(${goText(textOfBody(body))})`;
  const imports = ['fmt', 'io', 'net/http', ...(body === undefined ? [] : ['strings'])];
  return [
    'package main',
    '',
    `import (\n${imports.map((name) => `\t"${name}"`).join('\n')}\n)`,
    '',
    'func main() {',
    `\trequest, err := http.NewRequest(${json(method)}, ${json(url)}, ${reader})`,
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    ...headers.map(([name, value]) => `\trequest.Header.Set(${json(name)}, ${json(value)})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    '\tfmt.Println(response.Status, string(text))',
    '}',
  ].join('\n');
}

/** A text of JSON is a text of JavaScript, of Python and of Go, when it is well formed. */
function json(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function textOfBody(body: NonNullable<SampleRequest['body']>): string {
  return 'json' in body ? pretty(body.json) : body.text;
}

/** A raw text of Go has neither backquotes nor carriage returns. */
function goText(text: string): string {
  return /[`\r]/.test(text) ? json(text) : `\`${text.toWellFormed()}\``;
}

function pythonValue(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return bracketed(
      '[]',
      value.map((item) => pythonValue(item, inner)),
      indent,
    );
  if (isMembers(value))
    return bracketed(
      '{}',
      entriesOf(value).map(([name, member]) => `${json(name)}: ${pythonValue(member, inner)}`),
      indent,
    );
  if (typeof value === 'string') return json(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : 'None';
}

function bracketed(brackets: '[]' | '{}', items: readonly string[], indent: string): string {
  if (items.length === 0) return brackets;
  return `${brackets[0] ?? ''}\n${items.map((item) => `${indent}    ${item},`).join('\n')}\n${indent}${brackets[1] ?? ''}`;
}

function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}
