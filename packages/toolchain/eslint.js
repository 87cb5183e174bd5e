import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const syntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
];
/** What FerretDB does not have (docs/database-requirements.md). */
const severalIndexes = {
  selector: "CallExpression[callee.type='MemberExpression'][callee.property.name='createIndexes']",
  message: 'FerretDB makes one index a command: use createIndexes of event-sourcing.',
};

const budget = (file, fn) => ({
  'max-lines': ['error', { max: file, skipBlankLines: false, skipComments: false }],
  'max-lines-per-function': ['error', { max: fn, skipBlankLines: true, skipComments: true }],
});

/** The rules of CONTRIBUTING.md that need no types; those that do are in oxlint.json, whose linter reads types natively. */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '**/*.cjs', '**/*.js', '**/*.mjs'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    // Types that decorators write down for Nest are imported as values.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...budget(250, 40),
      complexity: ['error', 15],
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
