import type { OperationSlice } from '../slices/pack.js';
import { entriesOf, isMembers, lineOf, listOf, members, textOf } from '../text/values.js';
import { goText, indented, json, shellText } from './code-text.js';
import { curlForm, goForm, goFormImports, javaScriptForm, pythonForm, sampleFile } from './form-code.js';
import type { SampleBody } from './sample-body.js';
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
  const lines = [
    ...headers.map(([name, value]) => `--header ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : curlBody(body)),
  ];
  return [`curl --request ${method} ${shellText(url)}`, ...lines].join(' \\\n  ');
}

function curlBody(body: SampleBody): string[] {
  if ('parts' in body) return curlForm(body.parts);
  if ('isFile' in body) return [`--data-binary ${shellText(`@${sampleFile}`)}`];
  const text = textOfBody(body);
  // curl would read a file whose name stands behind the sign.
  return [`${text.startsWith('@') ? '--data-raw' : '--data'} ${shellText(text)}`];
}

function javaScript({ method, url, headers, body }: SampleRequest): string {
  const options = [`method: ${json(method)},`];
  if (headers.length > 0)
    options.push('headers: {', ...headers.map(([name, value]) => `  ${json(name)}: ${json(value)},`), '},');
  if (body !== undefined) options.push(`body: ${javaScriptBody(body)},`);
  const form = body !== undefined && 'parts' in body ? `${javaScriptForm(body.parts)}\n` : '';
  return `${form}const response = await fetch(${json(url)}, {\n${indented(options.join('\n'), '  ')}\n});\nconsole.log(response.status, await response.text());`;
}

function javaScriptBody(body: SampleBody): string {
  if ('parts' in body) return 'form';
  if ('isFile' in body) return `new File(["content"], ${json(sampleFile)})`;
  return 'json' in body ? `JSON.stringify(${pretty(body.json)})` : json(body.text);
}

function python({ method, url, headers, body }: SampleRequest): string {
  const named = [json(method), json(url)];
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `    ${json(name)}: ${json(value)},`);
    named.push(`headers={\n${lines.join('\n')}\n}`);
  }
  if (body !== undefined) named.push(pythonBody(body));
  const call = indented(named.map((argument) => `${argument},`).join('\n'), '    ');
  return `import requests\n\nresponse = requests.request(\n${call}\n)\nprint(response.status_code, response.text)`;
}

function pythonBody(body: SampleBody): string {
  if ('parts' in body) return pythonForm(body.parts);
  if ('isFile' in body) return `data=open(${json(sampleFile)}, "rb")`;
  if ('json' in body) return `json=${pythonValue(body.json, '')}`;
  return `data=${json(body.text)}${isAscii(body.text) ? '' : '.encode()'}`;
}

/** Python sends other texts as bytes only. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e\s]*$/.test(text);
}

function go({ method, url, headers, body }: SampleRequest): string {
  const { imports, before, reader } = goBody(body);
  const all = ['fmt', 'io', 'net/http', ...imports].sort();
  const isForm = body !== undefined && 'parts' in body;
  return [
    'package main',
    '',
    `import (\n${all.map((name) => `\t"${name}"`).join('\n')}\n)`,
    '',
    'func main() {',
    ...before,
    `\trequest, err := http.NewRequest(${json(method)}, ${json(url)}, ${reader})`,
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    ...headers.map(([name, value]) => `\trequest.Header.Set(${json(name)}, ${json(value)})`),
    ...(isForm ? ['\trequest.Header.Set("Content-Type", form.FormDataContentType())'] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    '\tif err != nil {\n\t\tpanic(err)\n\t}',
    '\tfmt.Println(response.Status, string(text))',
    '}',
  ].join('\n');
}

/** What reads the body in Go, with the lines before it and the packages that they need. */
function goBody(body: SampleRequest['body']): { imports: string[]; before: string[]; reader: string } {
  if (body === undefined) return { imports: [], before: [], reader: 'nil' };
  if ('parts' in body) return { imports: goFormImports(body.parts), before: goForm(body.parts), reader: '&body' };
  if ('isFile' in body) {
    const open = `\tfile, err := os.Open(${json(sampleFile)})\n\tif err != nil {\n\t\tpanic(err)\n\t}`;
    return { imports: ['os'], before: [open], reader: 'file' };
  }
  return { imports: ['strings'], before: [], reader: `strings.NewReader(${goText(textOfBody(body))})` };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function textOfBody(body: { json: unknown } | { text: string }): string {
  return 'json' in body ? pretty(body.json) : body.text;
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
