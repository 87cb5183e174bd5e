import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isReason } from '@scriptorium/contracts';
import { parse } from 'yaml';
import { runCommand, type Running } from './test/command.js';
import { tempFolders } from './test/temp-folder.js';

jest.setTimeout(300_000);

const root = new URL('../../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), 'utf8');
const namesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Dashboard {
  uid: string;
  title: string;
  templating: { list: { query: string | { query: string } }[] };
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}

const rules = (parse(text('infra/observability/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboards = namesIn('infra/observability/dashboards/', '.json').map((name) => ({
  name,
  dashboard: JSON.parse(text(`infra/observability/dashboards/${name}.json`)) as Dashboard,
}));

/** All expressions, with the place where each stands. */
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(({ name, dashboard }) => [
    ...dashboard.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ where: `${name}: ${title}`, expr })),
    ),
    ...dashboard.templating.list
      .flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]))
      .map((query) => ({ where: `${name}: variable`, expr: query.replace(/^label_values\((.*), \w+\)$/, '$1') })),
  ]),
];

/** The metrics of a PromQL expression: what is no function, label, keyword, text or number. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, '')
    .replaceAll(/\boffset\s+\w+/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const words = bare.match(/(?<![\w.])[a-zA-Z_:][\w:]*(?![\w:]*\s*\()/g) ?? [];
  return words.filter((word) => !['and', 'or', 'unless', 'bool'].includes(word));
}

/** The conditions of a PromQL expression on labels of a metric. */
const conditionsOf = (expr: string) =>
  [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', conditions = '']) =>
    [...conditions.matchAll(/(\w+)\s*[=!]~?\s*"([^"]*)"/g)].map(([, label = '', value = '']) => ({
      metric,
      label,
      value,
    })),
  );

const suffixes: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};
/** Added by Prometheus, and, for the limits of containers, by kube-state-metrics. */
const ofPrometheus = { metrics: ['up', 'kube_pod_container_resource_limits'], labels: ['job', 'instance'] };

describe('metrics of rules and dashboards', () => {
  let running: Running;
  const folder = tempFolders();
  const metrics = new Set(ofPrometheus.metrics);
  /** Labels by series, of series that have values. */
  const labels = new Map<string, Set<string>>();

  beforeAll(async () => {
    running = runCommand(['start'], { DATA_DIR: join(folder(), 'data'), PORT: '0' });
    await running.ready();
    expect((await fetch(`${running.address()}/v1/`)).status).toBe(200);
    for (const [url] of running.stdout().matchAll(/http:\/\/\S+\/metrics/g)) collect(await (await fetch(url)).text());
  });
  afterAll(() => running.kill());

  function collect(page: string): void {
    for (const [, name = '', type = ''] of page.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      for (const suffix of suffixes[type] ?? ['']) metrics.add(name + suffix);
    for (const [, name = '', pairs = ''] of page.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
      const known = labels.get(name) ?? new Set(ofPrometheus.labels);
      for (const [, label = ''] of pairs.matchAll(/(\w+)="/g)) known.add(label);
      labels.set(name, known);
    }
  }

  it('are found in an expression', () => {
    const expr = 'sum by (a, b) (rate(c_total{d="e f"}[5m] offset 1h)) / on (g) group_left () h > 1.5e3 and absent(up)';
    expect(metricsOf(expr)).toEqual(['c_total', 'h', 'up']);
    expect(conditionsOf(expr)).toEqual([{ metric: 'c_total', label: 'd', value: 'e f' }]);
  });

  it('are those that a running installation has', () => {
    for (const { where, expr } of expressions) {
      const named = metricsOf(expr);
      expect([where, named.length > 0]).toEqual([where, true]);
      expect([where, named.filter((name) => !metrics.has(name))]).toEqual([where, []]);
    }
  });

  it('have the labels that are asked for', () => {
    expect(labels.get('scriptorium_request_duration_seconds_count')).toContain('operation');
    for (const { where, expr } of expressions) {
      const wrong = conditionsOf(expr).filter(({ metric, label }) => labels.get(metric)?.has(label) === false);
      expect([where, wrong]).toEqual([where, []]);
    }
  });

  it('have outcomes that requests can have', () => {
    const outcomes = expressions
      .flatMap(({ expr }) => conditionsOf(expr))
      .filter(({ metric, label }) => metric.startsWith('scriptorium_request_') && label === 'outcome')
      .flatMap(({ value }) => value.split('|'));
    expect(outcomes).toContain('unavailable');
    expect(outcomes.filter((outcome) => outcome !== 'ok' && !isReason(outcome))).toEqual([]);
  });
});

describe('alerts', () => {
  it('have names and pages of their own, and every page an alert', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(namesIn('docs/runbooks/', '.md').sort()).toEqual([...names, 'README'].sort());
    for (const { alert, annotations } of rules) expect(annotations.runbook).toBe(`docs/runbooks/${alert}.md`);
  });

  it.each(rules)('have a severity, a summary and a page with its four parts: $alert', (rule) => {
    expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
    expect(rule.annotations.summary.length).toBeGreaterThan(20);
    const page = text(rule.annotations.runbook);
    const headings = ['What it means', 'What users see', 'What to look at', 'What to do'];
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(headings);
    expect(page.startsWith(`# ${rule.alert}\n`)).toBe(true);
    expect(text('docs/runbooks/README.md')).toContain(`[${rule.alert}](${rule.alert}.md) | ${rule.labels.severity} |`);
  });

  it('are loaded by the example of a configuration, under the job that they ask for', () => {
    const config = parse(text('infra/observability/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const targets = config.scrape_configs.flatMap((job) => job.static_configs.flatMap((each) => each.targets));
    const processes = readdirSync(new URL('apps/', root)).filter(
      (name) => name !== 'cli' && existsSync(new URL(`apps/${name}/src/main.ts`, root)),
    );
    expect(targets.map((target) => target.split(':')[0]).sort()).toEqual(processes.sort());
    expect(config.rule_files).toEqual(['alerts.yml']);
    const jobs = expressions.flatMap(({ expr }) => conditionsOf(expr)).filter(({ label }) => label === 'job');
    expect(jobs.length).toBeGreaterThan(0);
    for (const { value } of jobs) expect(config.scrape_configs.map((job) => job.job_name)).toContain(value);
  });
});

describe('dashboards', () => {
  it('have ids of their own, and panels with an expression each', () => {
    expect(dashboards.length).toBeGreaterThan(3);
    expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(dashboards.length);
    for (const { dashboard } of dashboards) {
      expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
      for (const { targets } of dashboard.panels) expect(targets.length).toBeGreaterThan(0);
    }
  });
});
