// Who may import what. This is an allow-list: an import that no rule names is an error.
const pkg = (...names) => `^packages/(${names.join('|')})/`;
const core =
  '^(node:|assert|buffer|child_process|crypto|events|fs|http|net|os|path|stream|timers|url|util|worker_threads|zlib|perf_hooks|readline|tls|dns|http2)';
/** Services whose domains are grouped: a folder of `src` is a group there, and the folders in it are domains. */
const grouped = 'apps/content';
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
      from: {
        pathNot: ['^packages/event-sourcing/src/events/event-store\\.ts$', pkg('embedded'), '\\.spec\\.ts$', '^bench/'],
      },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'x.ts and x.events.ts hold decisions and events only',
      severity: 'error',
      from: {
        path: '^apps/(?!gateway|cli|reader|runtime)[^/]+/src/.+/[^/.]+(\\.events)?\\.ts$',
        pathNot: ['/(index|main|domain|access)\\.ts$', '/(test|specs)/'],
      },
      to: {
        path: [
          'node_modules/(mongodb|@nats-io)',
          pkg('platform', 'messaging'),
          '\\.(controller|queries|projection|reactor|module)\\.ts$',
          core,
        ],
      },
    },
    {
      name: 'domains-through-their-index',
      comment:
        'a domain of a service imports another one only through its index.ts, and so does a group of domains; what tasks of workers use is in its pure.ts',
      severity: 'error',
      from: {
        path: '^(apps/(?!gateway|cli|reader|runtime)[^/]+)/src/([^/]+)/',
        pathNot: ['\\.spec\\.ts$', '/(test|specs)/'],
      },
      to: { path: '^$1/src/[^/]+/', pathNot: ['^$1/src/$2/', '^$1/src/[^/]+/(index|pure)\\.ts$'] },
    },
    {
      name: 'domains-of-a-group-through-their-index',
      severity: 'error',
      from: { path: `^(${grouped}/src/[^/]+)/([^/]+)/`, pathNot: ['\\.spec\\.ts$', '/(test|specs)/'] },
      to: { path: '^$1/', pathNot: ['^$1/$2/', '^$1/[^/]+/index\\.ts$'] },
    },
    {
      name: 'group-has-what-its-domains-have',
      comment: 'the index.ts of a group hands on what is in those of its domains',
      severity: 'error',
      from: { path: `^(${grouped}/src/[^/]+)/index\\.ts$` },
      to: { pathNot: '^$1/[^/]+/index\\.ts$' },
    },
    {
      name: 'service-lists-its-domains',
      comment: 'the files beside the domains import domain.ts, index.ts and settings of each',
      severity: 'error',
      from: { path: '^(apps/(?!gateway|cli|reader|runtime)[^/]+)/src/[^/]+\\.ts$', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^$1/src/[^/]+/',
        pathNot: [
          '^$1/src/[^/]+/((index|domain)\\.ts$|.*\\.settings\\.ts$)',
          `^${grouped}/src/[^/]+/[^/]+/domain\\.ts$`,
        ],
      },
    },
    {
      name: 'index-without-entry-points',
      comment: 'controllers and reactors are named by domain.ts alone',
      severity: 'error',
      from: {
        path: [
          '^apps/(?!gateway|cli|reader|runtime)[^/]+/src/[^/]+/index\\.ts$',
          `^${grouped}/src/[^/]+/[^/]+/index\\.ts$`,
        ],
      },
      to: { path: ['\\.(controller|reactor)\\.ts$', '/domain\\.ts$'] },
    },
    {
      name: 'activity-and-mail-stand-alone',
      comment: 'they import no other domain, so that each can be moved out by moving its folder',
      severity: 'error',
      from: { path: '^apps/identity/src/(activity|mail)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^apps/identity/src/', pathNot: '^apps/identity/src/($1|events|attempts|organization-read-models)/' },
    },
    {
      name: 'gateway-has-no-database',
      severity: 'error',
      from: { path: '^apps/gateway/', pathNot: '\\.spec\\.ts$' },
      to: { path: [pkg('event-sourcing'), 'node_modules/mongodb'] },
    },
    {
      name: 'no-database-in-processes-without-one',
      comment:
        'the index of platform loads Nest, MongoDB and EventStoreDB: these import what they need by its own name',
      severity: 'error',
      from: { path: ['^apps/(gateway|reader|runtime)/', pkg('agents')], pathNot: ['\\.spec\\.ts$', '/test/'] },
      to: { path: `${pkg('platform')}(src|dist)/index\\.`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-only-zod',
      severity: 'error',
      from: { path: `${pkg('contracts')}src/`, pathNot: ['\\.spec\\.ts$', '/test/'] },
      to: { pathNot: [pkg('contracts'), 'node_modules/zod/'] },
    },
    {
      name: 'apps-do-not-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: ['^apps/cli/', '\\.spec\\.ts$', '/test/'] },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
  ],
  allowedSeverity: 'error',
  allowed: [
    own,
    { from: {}, to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] } },
    { from: { path: '^(apps|bench)/' }, to: { path: '^packages/' } },
    { from: { path: '^(apps/cli|bench)/' }, to: { path: '^apps/' } },
    { from: { path: pkg('agents', 'client') }, to: { path: pkg('contracts') } },
    { from: { path: pkg('messaging') }, to: { path: pkg('contracts') } },
    { from: { path: pkg('event-sourcing') }, to: { path: pkg('contracts') } },
    { from: { path: pkg('access') }, to: { path: pkg('contracts', 'event-sourcing', 'platform') } },
    { from: { path: pkg('platform') }, to: { path: pkg('contracts', 'messaging', 'event-sourcing') } },
    {
      from: { path: pkg('testing') },
      to: { path: pkg('contracts', 'embedded', 'event-sourcing', 'messaging', 'platform', 'toolchain') },
    },
    { from: { path: '(\\.spec\\.ts$|/test/)' }, to: { path: ['^packages/', '^apps/', 'node_modules/@jest/globals/'] } },
    { from: { path: '/bench/' }, to: { path: '^packages/' } },
    { from: { path: '/toolchain/sequencer\\.js$' }, to: { path: 'node_modules/@jest/test-sequencer/' } },
    { from: { path: '/jest\\.(mutation\\.)?config\\.js$' }, to: { path: pkg('toolchain') } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/generated/', '^packages/client/types/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['scriptorium-source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
