import type { Client } from '@scriptorium/contracts';
import { drawPicture, type Colour } from './picture.js';

type Changes = Parameters<Client['changeSpaceContent']>[0]['body']['changes'];
type NewFile = Extract<NonNullable<Changes>[number], { operation: 'insert_files' }>['files'][number];

/** Pages that show files, by the title of the space that gets them. */
const pagesWithFiles: Readonly<Record<string, () => NonNullable<Changes>>> = {
  'Product guide': () => [
    { operation: 'insert_files', files: [picture('night', night), picture('day', day), checklist()] },
    { operation: 'insert_page', ref: 'lamp', title: 'The lamp', document: { markdown: lamp } },
  ],
  'API guide': () => [
    { operation: 'insert_files', files: [specification()] },
    { operation: 'insert_computed', title: 'Lighthouse API', computed: reference },
  ],
};

const lamp = `The lamp turns once in ten seconds, by night and in fog.

![The tower by night](/files/night)

![The tower by day](/files/day)

Before the first night of a month, go through the [checklist](/files/checklist).
`;

const width = 320;
const height = 180;
const tower: Colour = [235, 235, 230];
const band: Colour = [200, 50, 45];

function picture(name: string, colourAt: (x: number, y: number) => Colour): NewFile {
  const bytes = drawPicture(width, height, colourAt);
  return { name: `${name}.png`, ref: name, contentType: 'image/png', base64: bytes.toString('base64') };
}

/** The tower in the middle, with bands; `undefined` beside it. */
function towerAt(x: number, y: number): Colour | undefined {
  const half = 12 + (y - 40) / 12;
  if (y < 40 || y > 160 || Math.abs(x - width / 2) > half) return undefined;
  return Math.floor((y - 40) / 20) % 2 === 0 ? tower : band;
}

function night(x: number, y: number): Colour {
  const inBeam = x > width / 2 && Math.abs(y - 46) < (x - width / 2) / 5;
  const sky: Colour = y > 160 ? [10, 25, 45] : inBeam ? [240, 220, 130] : [18, 24, 58];
  return towerAt(x, y) ?? sky;
}

function day(x: number, y: number): Colour {
  const sky: Colour = y > 160 ? [40, 110, 160] : [150 + Math.floor(y / 4), 200, 240];
  return towerAt(x, y) ?? sky;
}

function checklist(): NewFile {
  const lines = ['Clean the lens.', 'Try the spare lamp.', 'Oil the bearing.', 'Write it in the book.'];
  const text = `Before the first night of a month\n\n${lines.map((line) => `[ ] ${line}`).join('\n')}\n`;
  return textFile('checklist.txt', 'checklist', 'text/plain', text);
}

function textFile(name: string, ref: string, contentType: string, text: string): NewFile {
  return { name, ref, contentType, base64: Buffer.from(text).toString('base64') };
}

const reference = {
  type: 'builtin:openapi' as const,
  props: { models: true, downloadLink: true },
  dependencies: { spec: { ref: { kind: 'file' as const, file: 'specification' } } },
};

const lampSchema = {
  type: 'object',
  description: 'A lamp of a tower.',
  required: ['id', 'isOn'],
  properties: {
    id: { type: 'string' },
    isOn: { type: 'boolean', description: 'Whether it shines.' },
    candela: { type: 'integer', description: 'Its brightness.' },
  },
};

function specification(): NewFile {
  const lamp = { $ref: '#/components/schemas/Lamp' };
  const answer = (schema: object) => ({
    responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Lighthouse API', version: '1.0.0' },
    tags: [
      { name: 'Lamps', description: 'What shines, and how brightly.' },
      { name: 'Weather', description: 'What the keepers see.' },
    ],
    paths: {
      '/lamps': { get: { tags: ['Lamps'], summary: 'List the lamps', ...answer({ type: 'array', items: lamp }) } },
      '/lamps/{lamp}': {
        parameters: [{ name: 'lamp', in: 'path', required: true, schema: { type: 'string' } }],
        get: { tags: ['Lamps'], summary: 'Get a lamp', ...answer(lamp) },
        patch: {
          tags: ['Lamps'],
          summary: 'Switch a lamp on or off',
          description: 'It takes **ten seconds** to reach its full brightness.',
          ...answer(lamp),
        },
      },
      '/weather': { get: { tags: ['Weather'], summary: 'Get the weather', ...answer({ type: 'object' }) } },
    },
    components: { schemas: { Lamp: lampSchema } },
  };
  const text = JSON.stringify(document, null, 2);
  return textFile('lighthouse.json', 'specification', 'application/json', text);
}

/** Adds the files of a space, and the pages that show them. */
export async function addFiles(client: Client, spaceId: string, title: string): Promise<void> {
  const changes = pagesWithFiles[title]?.();
  if (changes !== undefined) await client.changeSpaceContent({ params: { spaceId }, body: { changes } });
}
