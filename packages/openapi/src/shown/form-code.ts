import type { SamplePart } from './sample-body.js';
import { goText, json, shellText } from './code-text.js';

/** The file of a sample, which its readers replace by one of theirs. */
export const sampleFile = 'file';

/** The parts of a form as options of curl. */
export function curlForm(parts: readonly SamplePart[]): string[] {
  return parts.map((part) => {
    const type = part.type === undefined ? '' : `;type=${part.type}`;
    const value = 'isFile' in part ? `@${sampleFile}` : curlText(part.text, type);
    return `--form ${shellText(`${part.name}=${value}${type}`)}`;
  });
}

/** In quotes a text neither names a file nor ends where options of the part begin. */
function curlText(text: string, type: string): string {
  if (type === '' && /^[\w.:/+-][^;"\\]*$/.test(text)) return text;
  return text === '' ? text : `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** Lines of JavaScript that make the form. */
export function javaScriptForm(parts: readonly SamplePart[]): string {
  const lines = parts.map((part) => {
    const type = part.type === undefined ? '' : `, { type: ${json(part.type)} }`;
    if ('isFile' in part) return `form.append(${json(part.name)}, new File(["content"], ${json(sampleFile)}${type}));`;
    const value = type === '' ? json(part.text) : `new Blob([${json(part.text)}]${type})`;
    return `form.append(${json(part.name)}, ${value});`;
  });
  return ['const form = new FormData();', ...lines].join('\n');
}

/** The files of a call of Python's `requests`. A name of `None` makes a part a field. */
export function pythonForm(parts: readonly SamplePart[]): string {
  const lines = parts.map((part) => {
    const file = json(sampleFile);
    const value = 'isFile' in part ? `${file}, open(${file}, "rb")` : `None, ${json(part.text)}`;
    const type = part.type === undefined ? '' : `, ${json(part.type)}`;
    return `    (${json(part.name)}, (${value}${type})),`;
  });
  return lines.length === 0 ? 'files=[]' : `files=[\n${lines.join('\n')}\n]`;
}

/** Lines of Go that write the form. */
export function goForm(parts: readonly SamplePart[]): string[] {
  return ['\tvar body bytes.Buffer', '\tform := multipart.NewWriter(&body)', ...parts.map(goPart), '\tform.Close()'];
}

function goPart(part: SamplePart): string {
  if ('isFile' in part) {
    const stop = (made: string): string => `${made}; err != nil {\n\t\tpanic(err)\n\t}`;
    const file = json(sampleFile);
    return [
      stop(`\tif content, err := os.ReadFile(${file})`),
      stop(` else if part, err := ${goTyped(part, `form.CreateFormFile(${json(part.name)}, ${file})`)}`),
      ' else {\n\t\tpart.Write(content)\n\t}',
    ].join('');
  }
  if (part.type === undefined) return `\tform.WriteField(${json(part.name)}, ${json(part.text)})`;
  return `\tif part, err := ${goTyped(part, '')}; err != nil {\n\t\tpanic(err)\n\t} else {\n\t\tpart.Write([]byte(${goText(part.text)}))\n\t}`;
}

/** A part with a type of its own, as Go writes it. */
function goTyped(part: SamplePart, otherwise: string): string {
  if (part.type === undefined) return otherwise;
  const name = part.name.replace(/["\\]/g, String.raw`\$&`).replace(/[\r\n]+/g, ' ');
  const file = 'isFile' in part ? `; filename="${sampleFile}"` : '';
  const disposition = json(`form-data; name="${name}"${file}`);
  return `form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {${disposition}}, "Content-Type": {${json(part.type)}}})`;
}

/** Packages that the lines need. */
export function goFormImports(parts: readonly SamplePart[]): string[] {
  const hasFile = parts.some((part) => 'isFile' in part);
  const isTyped = parts.some((part) => part.type !== undefined);
  return ['bytes', 'mime/multipart', ...(isTyped ? ['net/textproto'] : []), ...(hasFile ? ['os'] : [])];
}
