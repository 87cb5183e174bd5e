import { block, mark, paragraph, text } from '../model/build.js';
import { type Block } from '../model/types.js';
import { type Attributes, type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';
import { plainInlines, titleOf } from './inlines.js';
import { buildTable } from './table-model.js';

const COLUMNS = ['Name', 'In', 'Type', 'Required', 'Description'];

const partsOf = (node: Md, name: string): Md[] =>
  (node.children ?? []).filter((child) => child.type === 'container' && child.name === name);
const cell = (ctx: ParseContext, value: string): Block[] => [paragraph(plainInlines(ctx, value))];

/** The old inline description of one HTTP method: a heading, the request line, a table of parameters, the responses. */
export function legacySwagger(ctx: ParseContext, node: Md): Block[] {
  const { method = 'get', path = '', baseUrl = '', summary } = node.attributes ?? {};
  const known = ['swagger-description', 'swagger-parameter', 'swagger-response'];
  const rest = (node.children ?? []).filter((child) => !known.includes(child.name ?? ''));
  const parameters = partsOf(node, 'swagger-parameter');
  return [
    block('heading-2', {}, plainInlines(ctx, summary || `${method.toUpperCase()} ${path}`)),
    paragraph([text(`${method.toUpperCase()} ${baseUrl}${path}`, [mark('code')])]),
    ...partsOf(node, 'swagger-description').flatMap((part) => inside(ctx, part)),
    ...(parameters.length > 0 ? [table(ctx, parameters)] : []),
    ...partsOf(node, 'swagger-response').flatMap((part) => response(ctx, part)),
    ...ctx.blocks(rest),
  ];
}

const inside = (ctx: ParseContext, part: Md): Block[] => [
  ...titleOf(ctx, part.attributes ?? {}),
  ...ctx.blocks(part.children ?? []),
];

function table(ctx: ParseContext, parameters: Md[]): Block {
  const columns = COLUMNS.map((title) => ({ column: { title, type: 'text' } }));
  const row = ({ name = '', in: place = '', type = '', required = 'false' }: Attributes, part: Md): Block[][] => {
    const description = inside(ctx, part);
    return [
      cell(ctx, name),
      cell(ctx, place),
      cell(ctx, type),
      cell(ctx, required),
      description.length > 0 ? description : cell(ctx, ''),
    ];
  };
  const rows = parameters.map((part) => row(part.attributes ?? {}, part));
  return buildTable(ctx, columns, rows, { type: 'grid', hideHeader: false });
}

function response(ctx: ParseContext, part: Md): Block[] {
  const { status = '', description = '' } = part.attributes ?? {};
  const title = [status, description].filter(Boolean).join(' ');
  return [block('heading-3', {}, plainInlines(ctx, title)), ...inside(ctx, part)];
}
