import type { FirstRun } from '../bootstrap/first-run.js';

export interface BannerInput {
  version: string;
  /** Where the gateway listens. */
  url: string;
  /** The first start's file and content; absent when the installation was bootstrapped from elsewhere. */
  firstRun: { path: string; content: FirstRun } | undefined;
  /** Addresses of metrics and readiness details by process. */
  admin: readonly { name: string; address: string }[];
}

/**
 * What a person needs to go on, as text. The `curl` line works as it stands in any POSIX shell; it reads the token
 * from the file, so that the token is on no screen and in no shell history.
 */
export function banner({ version, url, firstRun, admin }: BannerInput): string {
  const rows: [string, string][] = [
    ['Address', `${url}/v1`],
    ['Reference', `${url}/reference`],
    [
      'Token',
      firstRun === undefined
        ? 'made elsewhere, not kept on this machine'
        : `of ${firstRun.content.user.email}, in ${firstRun.path}`,
    ],
    ['Metrics', admin.map(({ name, address }) => `${name} http://${address}/metrics`).join('\n')],
  ];
  const lines = rows.map(([name, text]) => `  ${name.padEnd(11)}${text.replaceAll('\n', `\n${' '.repeat(13)}`)}`);
  return [
    '',
    `Scriptorium ${version} is ready`,
    '',
    ...lines,
    '',
    ...tryIt(url, firstRun?.path),
    '',
    'Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}

function tryIt(url: string, path: string | undefined): string[] {
  if (path === undefined) return [`  curl -sS ${quote(`${url}/v1/`)}`];
  const token = `$(sed -n ${quote('s/^ *"token": "\\(.*\\)",*$/\\1/p')} ${quote(path)})`;
  return [`  curl -sS -H "Authorization: Bearer ${token}" ${quote(`${url}/v1/user`)}`];
}

/** A word in single quotes for a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
