import * as z from 'zod';

/**
 * The page that lists settings, as Markdown. A group is one command or process: `{ title, about, settings }`, where
 * `settings` holds zod schemas by the name of their variable, described with `.describe()`.
 */
export function settingsPage(groups) {
  const parts = groups.map(({ title, about, settings }) => `## ${title}\n\n${about}\n\n${table(settings)}`);
  return `${head}\n${parts.join('\n\n')}\n\n${tail}`;
}

const head = `# Configuration

<!-- Written by \`npm run docs:write\` from the schemas that read the environment. Change those, not this page. -->

Every setting is an environment variable. An empty variable counts as unset. A wrong or missing one ends the start with one
line that names it and exit code 78: starting it again changes nothing. \`npm start\` checks the settings of all its processes before
any of them runs. Other failures to start end with 1 or 70 (see [operations](operations.md#exit-codes)).
\`scriptorium\` commands also read a file \`.env\` in the folder they are started in (see [.env.example](../.env.example)); what the
environment has already wins.
`;

const tail = `## Set by \`npm start\`, not by people

| variable | process | meaning |
|---|---|---|
| \`SERVICES\` | the host of all services | names of the services it runs, by comma |
| \`EMBEDDED_DATA_DIR\` | the embedded servers | folder that holds one folder for each server |
| \`EMBEDDED_EVENTSTORE_PORT\`, \`EMBEDDED_MONGODB_PORT\`, \`EMBEDDED_NATS_PORT\` | the embedded servers | port of each; a server without one is not started |
| \`EMBEDDED_EVENTSTORE_PASSWORD\`, \`EMBEDDED_MONGODB_PASSWORD\`, \`EMBEDDED_NATS_PASSWORD\` | the embedded servers | password of the user \`scriptorium\` of each, from \`DATA_DIR/server-passwords\` |
| \`ADMIN_PORT\` | every process | a free port of its own, named in the banner |
`;

function table(settings) {
  const { properties, required = [] } = z.toJSONSchema(z.object(settings), { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name)));
  return ['| variable | default | values | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function row(name, schema, isRequired) {
  if (schema.description === undefined) throw new Error(`${name} has no description`);
  const preset = isRequired
    ? '**required**'
    : schema.default === undefined || schema.default === ''
      ? 'unset'
      : `\`${schema.default}\``;
  return `| \`${name}\` | ${preset} | ${cell(valuesOf(schema))} | ${cell(schema.description.replace(/\.$/, ''))} |`;
}

function valuesOf({ type, enum: words, minimum, maximum, minLength, maxLength, format, pattern }) {
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'integer') return `whole number ${range(minimum, maximum)}`.trim();
  if (format === 'uri') return pattern === undefined ? 'URL' : `URL, ${code(pattern)}`;
  if (format === 'email') return 'e-mail address';
  if (pattern !== undefined) return code(pattern);
  return minLength === undefined && maxLength === undefined
    ? 'text'
    : `text of ${range(minLength, maxLength)} characters`;
}

function range(least, most) {
  const open = most === undefined || most === Number.MAX_SAFE_INTEGER;
  if (open) return least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : `${least} or more`;
  return least === undefined ? `up to ${most}` : `${least} to ${most}`;
}

const code = (text) => `\`${text}\``;
/** A bar would end the cell, within code as well. */
const cell = (text) => text.replaceAll('|', '\\|');
