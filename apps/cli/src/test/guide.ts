import { spawn } from 'node:child_process';

/** What a block of a guide should print. */
export interface Expected {
  /** The line of the guide at which the commands begin that print it. */
  commands: number;
  /** The line of the guide at which it stands. */
  line: number;
  text: string;
}

/** A guide as one script, and what its blocks should print. */
export interface Guide {
  script: string;
  expected: Expected[];
}

interface Block {
  language: string;
  /** Line numbers of its fences, from 1. */
  begin: number;
  end: number;
  lines: string[];
}

/** The fenced blocks of a page of Markdown. @throws Error for one that does not end */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, fence, language] = /^(`{3,})(\w*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const end = lines.indexOf(fence, at + 1);
    if (end < 0) throw new Error(`the block of line ${at + 1} does not end`);
    blocks.push({ language: language ?? '', begin: at + 1, end: end + 1, lines: lines.slice(at + 1, end) });
    at = end;
  }
  return blocks;
}

const marker = '\u001e';

/**
 * The script of a guide: its `sh` blocks, each in the lines that it has in the guide, so that shells name these. A
 * `text` block behind an `sh` block is what that one prints, where `…` stands for anything in a line, and in a line of
 * its own for any lines.
 */
export function guideIn(text: string): Guide {
  const lines = text.split('\n').map(() => '');
  const expected: Expected[] = [];
  lines[0] = 'set -euo pipefail; exec 2>&1';
  let commands: number | undefined;
  for (const { language, begin, lines: own } of blocksOf(text)) {
    if (language === 'sh') {
      lines[begin - 1] = `printf '\\n${marker}${begin}${marker}\\n'`;
      for (const [at, line] of own.entries()) lines[begin + at] = line;
      commands = begin;
    } else if (language === 'text' && commands !== undefined) {
      expected.push({ commands, line: begin, text: own.join('\n') });
      commands = undefined;
    }
  }
  return { script: `${lines.join('\n')}\n`, expected };
}

/** Whether a text is as a block shows it. */
export function isAsShown(shown: string, printed: string): boolean {
  const parts = shown.split('\n').map((line) =>
    line.trim() === '…'
      ? '(?:.*\\n)*?'
      : `${line
          .split('…')
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}\\n`,
  );
  return new RegExp(`^${parts.join('')}$`).test(`${printed.trimEnd()}\n`);
}

/** Long enough for every guide, and for a machine that does much else. */
const mostMs = 240_000;

/**
 * Runs a guide in one shell, as a reader does. @returns what differs from what the guide says, none when all of it
 * works: the end of what was printed, with the line of the guide, and each block that prints something else
 */
export async function runGuide(
  text: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<string[]> {
  const { script, expected } = guideIn(text);
  const shell = spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (output += part));
  // What the shell has started ends with it.
  const timer = setTimeout(() => process.kill(-(shell.pid ?? 0), 'SIGKILL'), mostMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    shell.once('error', reject).once('close', resolve);
  }).finally(() => clearTimeout(timer));
  const printed = printedBy(output);
  if (code !== 0) {
    const last = [...printed].at(-1) ?? [1, output];
    return [`the block of line ${last[0]} ended with ${code}: ${last[1].trim()}`];
  }
  return expected.flatMap(({ commands, line, text: shown }) => {
    const found = printed.get(commands) ?? '';
    return isAsShown(shown, found)
      ? []
      : [`the block of line ${commands} does not print line ${line}: ${found.trim()}`];
  });
}

/** What each block has printed, by its line. */
function printedBy(output: string): Map<number, string> {
  const [, ...parts] = output.split(new RegExp(`\\n${marker}(\\d+)${marker}\\n`));
  const found = new Map<number, string>();
  for (let at = 0; at < parts.length; at += 2) found.set(Number(parts[at]), parts[at + 1] ?? '');
  return found;
}
