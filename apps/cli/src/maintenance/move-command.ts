import { AppError } from '@scriptorium/contracts';
import {
  claimTarget,
  firstEventId,
  isInUse,
  moveDocuments,
  moveLog,
  namedPositions,
  releaseTarget,
  type DataServers,
  type Move,
  type MovedLog,
} from '@scriptorium/event-sourcing';
import type { CommandContext } from '../command-line/context.js';
import { filesOf, openDataFolder } from '../installation/data-folder.js';
import { readMoveSettings, type MoveSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { version } from '../version.js';
import { moveFiles, requireOtherStore } from './move-files.js';
import { positionPlaces } from './moved-positions.js';
import { requireEmbedded, serversOf, withEmbedded } from './move-sides.js';

/** The options of the command: the addresses of real servers, on one of the two sides; `true`: of the environment. */
export interface MoveOptions {
  to?: string[] | true;
  from?: string[] | true;
  /** Where bytes of files are copied to, as `FILES_STORE` names it; unset: they stay. */
  files?: string;
}

const every = 200;

/**
 * `scriptorium move`: copies an installation that is stopped from the embedded servers of the data folder to real ones,
 * or back, and compares both. A second call goes on where the first one ended.
 * @throws ConfigError for an invalid setting; StopError for an invalid option, when one side is in use, when the target
 * holds something else, and when the two differ at the end
 */
export async function moveCommand(input: CommandContext & MoveOptions): Promise<void> {
  const { to, from, environment } = input;
  if ((to === undefined) === (from === undefined))
    throw new StopError('name the real servers, with --to or with --from');
  const settings = readMoveSettings(environment);
  const real = serversOf(to ?? from ?? [], to === undefined ? '--from' : '--to', settings);
  requireOtherStore(input.files, settings);
  if (to !== undefined) requireEmbedded(filesOf(settings.DATA_DIR).path);
  input.screen.show('looking at both sides');
  try {
    // Before the folder is opened: what is refused leaves no new one.
    const found = to === undefined ? await sourceOf({ source: real, real }, settings.NAMESPACE) : undefined;
    await inFolder(settings.DATA_DIR, async (own) => {
      const first = found ?? (await sourceOf({ source: own, real }, settings.NAMESPACE));
      const [source, target] = to === undefined ? [real, own] : [own, real];
      await move(input, settings, { source, target, first });
    });
  } catch (error) {
    if (error instanceof AppError) throw new StopError(error.message, error);
    throw error;
  } finally {
    input.screen.clear();
  }
}

async function inFolder(path: string, work: (own: DataServers) => Promise<void>): Promise<void> {
  const folder = await openDataFolder(path, version);
  try {
    await withEmbedded(folder.path, work);
  } finally {
    await folder.release();
  }
}

interface Sides {
  source: DataServers;
  target: DataServers;
  /** The id of the first event of the source. */
  first: string;
}

async function move(
  input: CommandContext & MoveOptions,
  settings: MoveSettings,
  { source, target, first }: Sides,
): Promise<void> {
  const { screen } = input;
  const show = (text: string, done: number, total: number | undefined): void => {
    if (done % every === 0 || done === total) screen.show(text);
  };
  const all: Move = { from: source, to: target, namespace: settings.NAMESPACE, first, places: positionPlaces };
  await claimTarget(all);
  const log = await moveLog(all, {
    positions: await namedPositions(all),
    progress: (what, done, total) => show(`${what} ${done} of ${total} events`, done, total),
  });
  const counts = await moveDocuments(all, log.positions, (what, collection, done) =>
    screen.show(`${what} ${done} documents of ${collection}`),
  );
  const mongodb = { from: source.mongodb, to: target.mongodb };
  const files = await moveFiles({ settings, mongodb, store: input.files }, screen);
  await releaseTarget(all);
  report(input, { log, counts, files });
}

/**
 * The id of the first event of an installation that can be moved.
 * @throws StopError when a replica of it runs, or when there is none
 */
async function sourceOf(
  { source, real }: { source: DataServers; real: DataServers },
  namespace: string,
): Promise<string> {
  if (await isInUse(real.mongodb, namespace))
    throw new StopError(`an installation with the namespace ${namespace} runs on the real servers; stop it first`);
  const first = await firstEventId(source.eventstore, namespace);
  if (first === undefined) throw new StopError(`there are no events of the namespace ${namespace} to move`);
  return first;
}

function report(
  { to, screen, answer, write }: CommandContext & MoveOptions,
  { log, counts, files }: { log: MovedLog; counts: ReadonlyMap<string, number>; files: readonly string[] },
): void {
  screen.clear();
  const documents = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const { events, streams, erased } = log;
  answer(
    { events, streams, erased, documents, collections: Object.fromEntries(counts) },
    `copied and compared: ${events} events of ${streams} streams, ${erased} erased streams, ${documents} documents of ${counts.size} collections\n`,
  );
  for (const line of files) write(`${line}\n`);
  write(
    to === undefined
      ? 'begin without EVENTSTORE_URL and MONGODB_URL, and with the SECRET_KEYS of before\n'
      : 'begin with EVENTSTORE_URL and MONGODB_URL, and with the keys of before: DATA_DIR/secret-keys, unless SECRET_KEYS was set\n',
  );
}
