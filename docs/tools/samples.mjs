import ts from 'typescript';

/*
 * Samples: fenced blocks whose code comes from a source, named in a comment right above the fence:
 *
 *     <!-- from apps/identity/src/teams/team.ts#rename -->
 *
 * The name is that of a region of the source (`// #region rename` to `// #endregion`), or of a declaration, or of a
 * member of one (`TeamsController.rename`). Several names are divided by commas; an empty line
 * stands between their code.
 */
const sample = /^<!-- from (\S+) -->\n+(```\w+\n)[\s\S]*?^```$/gm;

/**
 * The text of a page with the code of its samples as the sources have it. `read(path)`: the text of a source,
 * `undefined` if there is none.
 * @throws Error for a name that leads nowhere
 */
export function withSamples({ path, text }, read) {
  return text.replace(sample, (_, source, opening) => {
    const code = codesOf(path, source, read).join('\n\n');
    return `<!-- from ${source} -->\n${opening}${code}\n\`\`\``;
  });
}

/** What is wrong with the samples of a page. In the pages of the product, TypeScript without a source is wrong, too. */
export function staleSamples(page, read) {
  const { path, text } = page;
  const withoutSource = /^(README\.md$|docs\/)/.test(path)
    ? [...text.replace(sample, '').matchAll(/^```ts\n(.*)/gm)].map(
        ([, first]) => `${path}: the code "${first.trim()}" names no source (<!-- from file#name --> above it)`,
      )
    : [];
  try {
    const isStale = withSamples(page, read) !== text;
    return isStale ? [...withoutSource, `${path} has code that its sources do not: npm run docs:write`] : withoutSource;
  } catch (error) {
    return [...withoutSource, error.message];
  }
}

function codesOf(page, source, read) {
  const [path, names = ''] = source.split('#');
  const text = read(path);
  if (text === undefined) throw new Error(`${page}: a sample comes from ${path}, which does not exist`);
  return names.split(',').map((name) => {
    const code = region(text, name) ?? declaration(text, name);
    if (code === undefined) throw new Error(`${page}: ${path} has no region or declaration "${name}"`);
    return withoutIndentation(code.split('\n').filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line)));
  });
}

function region(source, name) {
  const lines = source.split('\n');
  const begin = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line, i) => i > begin && line.trim() === '// #endregion');
  return begin === -1 || end === -1 ? undefined : lines.slice(begin + 1, end).join('\n');
}

/** The code of a declaration without the comment above it. */
function declaration(source, name) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const [outer, ...members] = name.split('.');
  let found = file.statements.find((statement) => declares(statement, outer));
  for (const member of members) found = found?.members?.find((one) => one.name?.getText() === member);
  if (found === undefined) return undefined;
  const begin = found.getStart();
  const column = file.getLineAndCharacterOfPosition(begin).character;
  return ' '.repeat(column) + source.slice(begin, found.end);
}

function declares(statement, name) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.some((one) => one.name.getText() === name);
  return statement.name?.getText() === name;
}

function withoutIndentation(lines) {
  const widths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const least = Math.min(...widths);
  return lines.map((line) => line.slice(least)).join('\n');
}
