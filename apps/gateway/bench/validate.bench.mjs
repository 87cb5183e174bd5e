// What the gateway takes to read and check one request, in microseconds: a PATCH, a GET of a list, and a change of content with a
// document. Usage: node bench/validate.bench.mjs [folder of the built gateway]
import { changeSpaceContent, listTeamsInOrganizationById, updateTeamInOrganizationById } from '@scriptorium/contracts';

const built = process.argv[2] ?? 'dist';
const { compileValidator } = await import(new URL(`../${built}/input/validator.js`, import.meta.url));
const bytes = (value) => Buffer.from(JSON.stringify(value));
const paragraph = {
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ text: 'x'.repeat(80) }] }],
};
const document = { object: 'document', nodes: Array(200).fill(paragraph) };
const teams = {
  params: { organizationId: 'o' },
  url: '/v1/orgs/o/teams?limit=20&title=a',
  headers: {},
  body: undefined,
};
const cases = {
  'PATCH of a team': [
    updateTeamInOrganizationById,
    {
      ...teams,
      params: { organizationId: 'o', teamId: 't' },
      url: '/v1/orgs/o/teams/t',
      headers: { 'content-length': '18' },
      body: bytes({ title: 'Editors' }),
    },
  ],
  'GET of a list': [listTeamsInOrganizationById, teams],
  'change of content': [
    changeSpaceContent,
    {
      ...teams,
      params: { spaceId: 's' },
      url: '/v1/spaces/s/content',
      headers: { 'content-length': '1' },
      body: bytes({ changes: [{ operation: 'insert_page', title: 'A', document }] }),
    },
  ],
};

const rounds = 60;
const microsOf = (validate, raw, count) => {
  const { user } = process.cpuUsage();
  for (let at = 0; at < count; at += 1) validate(raw, () => undefined);
  return (process.cpuUsage().user - user) / count;
};
for (const [name, [op, raw]] of Object.entries(cases)) {
  const validate = compileValidator(op);
  const count = Math.ceil(50_000 / microsOf(validate, raw, 500));
  const all = Array.from({ length: rounds }, () => microsOf(validate, raw, count)).sort((a, b) => a - b);
  process.stdout.write(`${name}: ${all[rounds / 4].toFixed(2)} us of processor time (least ${all[0].toFixed(2)})\n`);
}
