import { existsSync, readFileSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { noForcedCast } from './no-forced-cast.js';

const syntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
];
/** What FerretDB does not have (docs/database-requirements.md). */
const severalIndexes = {
  selector: "CallExpression[callee.type='MemberExpression'][callee.property.name='createIndexes']",
  message: 'FerretDB makes one index a command: use createIndexes of event-sourcing.',
};

const suppressions = 'eslint-suppressions.json';

/** Entries of files that are gone; ESLint alone would keep them for a later file of that name. */
function leftOver() {
  if (!existsSync(suppressions) || process.argv.includes('--prune-suppressions')) return [];
  return Object.keys(JSON.parse(readFileSync(suppressions, 'utf8'))).filter((file) => !existsSync(file));
}
for (const file of leftOver())
  throw new Error(`${suppressions} names ${file}, which is gone: npx eslint src --prune-suppressions`);

const budget = (file, fn) => ({
  'max-lines': ['error', { max: file, skipBlankLines: false, skipComments: false }],
  'max-lines-per-function': ['error', { max: fn, skipBlankLines: true, skipComments: true }],
});

/** Prettier keeps code within 120 columns, and leaves comments as they are. */
const widthOfComments = { code: Number.MAX_SAFE_INTEGER, comments: 120, ignoreUrls: true };

/**
 * The rules of CONTRIBUTING.md that need no types; those that do are in oxlint.json, whose linter reads types natively.
 * Findings that are older than a rule are counted in `eslint-suppressions.json` of each workspace: more of them fail,
 * and so does a count that has become too high (`npx eslint src --prune-suppressions` there lowers it).
 */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '**/*.cjs', '**/*.js', '**/*.mjs'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    // Types that decorators write down for Nest are imported as values.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { scriptorium: { rules: { 'no-forced-cast': noForcedCast } } },
    rules: {
      ...budget(250, 40),
      complexity: ['error', 15],
      'max-params': ['error', 4],
      'max-depth': ['error', 3],
      'max-len': ['error', widthOfComments],
      'scriptorium/no-forced-cast': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...syntax, severalIndexes],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      ...budget(400, 400),
      'no-restricted-syntax': ['error', ...syntax],
    },
  },
);
