import { errorPages, operationList } from '../../packages/contracts/dist/index.js';

/** The pages of `docs/errors`, from the contract: their text by file name. */
export function errorFiles() {
  const pages = errorPages(operationList);
  return new Map([['README.md', list(pages)], ...pages.map((page) => [`${page.reason}.md`, one(page)])]);
}

const note = '<!-- Written by `npm run docs:write` from `packages/contracts`. Change that, not this page. -->';

function list(pages) {
  const rows = pages.map(({ reason, status, meaning }) => `| ${status} | [${reason}](${reason}.md) | ${meaning} |`);
  return `# Reasons of refusals

${note}

Every refusal names its reason in \`error.reason\`, which never changes, and links to its page with \`Link: </errors/{reason}>; rel="help"\`: every
gateway serves these pages for the operations that it has.

| status | reason | meaning |
|---|---|---|
${rows.join('\n')}
`;
}

function one({ reason, status, meaning, when, next, operations, otherwise }) {
  return `# ${status} ${reason}

${note}

${meaning}

**When.** ${when}

**How to go on.** ${next}

## Operations

${operationsOf(operations, new Map(otherwise.map((each) => [each.id, each.status])))}
`;
}

function operationsOf(operations, statuses) {
  if (operations === 'every') return 'Every operation.';
  if (operations.length === 0) return 'None of this version answers it by itself.';
  return operations
    .map(
      ({ id, method, path, summary }) =>
        `- \`${method} /v1${path}\`: ${summary}${statuses.has(id) ? ` (${statuses.get(id)})` : ''}`,
    )
    .join('\n');
}
