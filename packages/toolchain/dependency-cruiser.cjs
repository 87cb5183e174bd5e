// Who may import what (docs/house-style.md). An allow-list: an import that no rule names is an error.
const pkg = (...names) => `^packages/(${names.join('|')})/`;
const core = '^(node:|assert|buffer|child_process|crypto|events|fs|http|net|os|path|stream|timers|url|util|worker_threads|zlib|perf_hooks|readline|tls|dns|http2)';
const own = { from: { path: '^((packages|apps)/[^/]+|bench)/' }, to: { path: '^$1/' } };

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'nest-only-in-platform',
      severity: 'error',
      from: { pathNot: pkg('platform') },
      to: { path: 'node_modules/@nestjs/' },
    },
    {
      name: 'event-store-client-in-one-file',
      severity: 'error',
      from: { pathNot: ['^packages/event-sourcing/src/event-store\\.ts$', pkg('embedded'), '\\.spec\\.ts$', '^bench/'] },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'x.ts and x.events.ts hold decisions and events only',
      severity: 'error',
      from: { path: '^apps/(?!gateway|cli)[^/]+/src/[^/]+/[^/.]+(\\.events)?\\.ts$', pathNot: ['/(index|main)\\.ts$', '/test/'] },
      to: { path: ['node_modules/(mongodb|@nats-io)', pkg('platform', 'messaging'), '\\.(controller|queries|projection|reactor|module)\\.ts$', core] },
    },
    {
      name: 'gateway-has-no-database',
      severity: 'error',
      from: { path: '^apps/gateway/', pathNot: '\\.spec\\.ts$' },
      to: { path: [pkg('event-sourcing'), 'node_modules/mongodb'] },
    },
    {
      name: 'contracts-only-zod',
      severity: 'error',
      from: { path: `${pkg('contracts')}src/`, pathNot: '\\.spec\\.ts$' },
      to: { pathNot: [pkg('contracts'), 'node_modules/zod/'] },
    },
    { name: 'apps-do-not-import-apps', severity: 'error', from: { path: '^apps/([^/]+)/', pathNot: ['^apps/cli/', '\\.spec\\.ts$', '/test/'] }, to: { path: '^apps/', pathNot: '^apps/$1/' } },
  ],
  allowedSeverity: 'error',
  allowed: [
    own,
    { from: {}, to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] } },
    { from: { path: '^(apps|bench)/' }, to: { path: '^packages/' } },
    { from: { path: '^(apps/cli|bench)/' }, to: { path: '^apps/' } },
    { from: { path: pkg('messaging') }, to: { path: pkg('contracts') } },
    { from: { path: pkg('event-sourcing') }, to: { path: pkg('contracts') } },
    { from: { path: pkg('platform') }, to: { path: pkg('contracts', 'messaging', 'event-sourcing') } },
    { from: { path: '(\\.spec\\.ts$|/test/)' }, to: { path: ['^packages/', '^apps/', 'node_modules/@jest/globals/'] } },
    { from: { path: '/bench/' }, to: { path: '^packages/' } },
    { from: { path: '/jest\\.config\\.js$' }, to: { path: pkg('toolchain') } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['scriptorium-source', 'import', 'require', 'node', 'default', 'types'] },
  },
};
