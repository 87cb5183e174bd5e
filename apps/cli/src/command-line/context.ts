import { existsSync } from 'node:fs';
import { ConfigError } from '@scriptorium/platform/config';
import type { Command } from 'commander';
import { createScreen, type Screen } from './screen.js';
import { shownOn } from './visible.js';

/** What a command runs with. */
export interface CommandContext {
  /** The environment with the settings of `.env` and those that options give. */
  environment: NodeJS.ProcessEnv;
  /** One object of the answer: as JSON of one line with `--json`, otherwise as the text. */
  answer: (value: unknown, text: string) => void;
  /** Tells people something besides the answer. */
  write: (text: string) => void;
  screen: Screen;
}

interface InstallationOptions {
  url?: string;
  token?: string;
  json?: boolean;
}

/**
 * What `command` runs with, from the environment, the file `.env` and its options.
 * @throws ConfigError for an option that is not valid
 */
export function contextOf(command: Command): CommandContext {
  loadDotEnv();
  const { url, token, json = false } = command.optsWithGlobals<InstallationOptions>();
  if (url !== undefined && !isAddress(url))
    throw new ConfigError('--url must be an address such as http://127.0.0.1:8080');
  if (token === '') throw new ConfigError('--token is empty');
  const stdout = (text: string) => void process.stdout.write(shownOn(process.stdout, text));
  const stderr = (text: string) => void process.stderr.write(shownOn(process.stderr, text));
  return {
    environment: {
      ...process.env,
      ...(url !== undefined && { SCRIPTORIUM_URL: url }),
      ...(token !== undefined && { SCRIPTORIUM_TOKEN: token }),
    },
    answer: (value, text) => stdout(json ? `${JSON.stringify(value)}\n` : text),
    write: json ? stderr : stdout,
    screen: createScreen(process.stderr, process.env),
  };
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Loads the settings of the working directory. Variables of the environment have precedence. */
export function loadDotEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
