import type { FirstRun } from '../bootstrap/first-run.js';

export interface BannerInput {
  version: string;
  /** The address of the gateway. */
  url: string;
  /** The address below which sites are shown by their ids; absent if none are. */
  sites?: string | undefined;
  /** The address of the page where people sign in. */
  signIn: string;
  /** Whether mail, and so links to sign in, is written to the data folder instead of being sent. */
  isMailKept: boolean;
  /** Where integrations answer; absent without their service. */
  integrations?: string | undefined;
  /** The file of the first start and its content; absent when the installation was bootstrapped elsewhere. */
  firstRun: { path: string; content: FirstRun } | undefined;
  /** Addresses of the admin ports by process, with metrics and readiness details. */
  admin: readonly { name: string; address: string }[];
}

/**
 * The text of the banner. Its `curl` line works unchanged in any POSIX shell. It reads the token from the file, so that
 * the token appears on no screen and in no shell history.
 */
export function banner(input: BannerInput): string {
  const { version, url, sites, integrations, firstRun, admin } = input;
  const rows: [string, string][] = [
    ['Address', `${url}/v1`],
    ['Reference', `${url}/reference`],
    ...(sites === undefined ? [] : ([['Sites', `${sites}<id of a published site>/`]] as [string, string][])),
    ...(integrations === undefined ? [] : ([['Scripts', integrations]] as [string, string][])),
    [
      'Token',
      firstRun === undefined
        ? 'made elsewhere, not kept on this machine'
        : `of ${firstRun.content.user.email}, in ${firstRun.path}`,
    ],
    ['Sign in', wayIn(input)],
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

/** How a person signs in in a browser: by a link that is e-mailed to the first user, who has no password yet. */
function wayIn({ signIn, isMailKept, firstRun }: BannerInput): string {
  if (firstRun === undefined) return signIn;
  const { email } = firstRun.content.user;
  const link = isMailKept ? '; npx scriptorium outbox prints it' : '';
  return `${signIn} as ${email}, with an e-mailed link${link}`;
}

function tryIt(url: string, path: string | undefined): string[] {
  if (path === undefined) return [`  curl -sS ${quote(`${url}/v1/`)}`];
  const token = `$(sed -n ${quote('s/^ *"token": "\\(.*\\)",*$/\\1/p')} ${quote(path)})`;
  return [`  curl -sS -H "Authorization: Bearer ${token}" ${quote(`${url}/v1/user`)}`];
}

/** A text in single quotes for a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
