import type { Client } from '@scriptorium/contracts';
import { drawPicture, type Colour } from './picture.js';
import { slug } from './specification.js';

type Changes = Parameters<Client['changeSpaceContent']>[0]['body']['changes'];
type NewFile = Extract<NonNullable<Changes>[number], { operation: 'insert_files' }>['files'][number];

/** Pages that show files or operations, by the title of the space that gets them. */
const pagesOf: Readonly<Record<string, () => NonNullable<Changes>>> = {
  'Product guide': () => [
    { operation: 'insert_files', files: [picture('night', night), picture('day', day), checklist()] },
    { operation: 'insert_page', ref: 'lamp', title: 'The lamp', document: { markdown: lamp } },
  ],
  'API guide': () => [{ operation: 'insert_page', title: 'Switch on a lamp', document: { markdown: switchOn }, at: 1 }],
};

const lamp = `The lamp turns once in ten seconds, by night and in fog.

![The tower by night](/files/night)

![The tower by day](/files/day)

Before the first night of a month, go through the [checklist](/files/checklist).
`;

const switchOn = `Two requests are all that a night needs. Change the lamp first; it is found among the lamps of its tower.

${operation('/lamps/{lamp}', 'patch')}

The answer comes at once, while the lamp is still warming. Ask for it again after ten seconds.

${operation('/lamps/{lamp}', 'get')}

Should the lamp go out, your endpoint is told.

{% openapi-webhook spec="${slug}" name="lampFailed" method="post" %}
{% endopenapi-webhook %}
`;

function operation(path: string, method: string): string {
  return `{% openapi-operation spec="${slug}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;
}

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
  return {
    name: 'checklist.txt',
    ref: 'checklist',
    contentType: 'text/plain',
    base64: Buffer.from(text).toString('base64'),
  };
}

/** Adds the files of a space, and the pages that show them or operations of the specification. */
export async function addPages(client: Client, spaceId: string, title: string): Promise<void> {
  const changes = pagesOf[title]?.();
  if (changes !== undefined) await client.changeSpaceContent({ params: { spaceId }, body: { changes } });
}
