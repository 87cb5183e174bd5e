import { dirname, join } from 'node:path';
import { appsFolder, chooseServices, installedServices, mainScript } from '../apps.js';
import { filesOf } from '../installation/data-folder.js';
import { readRunFile, type RunFile } from '../installation/run-file.js';
import { StopError } from '../stop-error.js';
import { createChild, type Child } from '../supervisor/child.js';
import { createOutput, type Output } from '../supervisor/output.js';
import { timings } from '../supervisor/timings.js';
import { beginTakeover } from './begin-takeover.js';
import { inTurn } from './in-turn.js';
import { watchBuild } from './watch-build.js';

export interface DevOptions {
  service: string;
  dataFolder: string;
  environment: NodeJS.ProcessEnv;
  /** Resolves when the developer ends the takeover. */
  ended: Promise<string>;
}

const stopMs = 4_800;

/**
 * `scriptorium dev <service>`: runs a service of the running installation from its sources, and starts it again after
 * each change that can be built. All others keep running. At the end the installation runs its own copy again.
 * @throws StopError when no installation uses the data folder, or it does not have the service
 */
export async function dev({ service, dataFolder, environment, ended }: DevOptions): Promise<void> {
  chooseServices([service], installedServices());
  const run = await readRunFile(filesOf(dataFolder).run);
  if (run === undefined)
    throw new StopError(`no installation runs on ${filesOf(dataFolder).path}; begin with: npm start`);
  const output = createOutput({ write: (text) => void process.stderr.write(text), readable: true });
  const takeover = await beginTakeover(run, service);
  const child = developed(service, run, environment, output);
  const restart = inTurn(async () => {
    await child.stop(stopMs);
    child.start();
  });
  const build = watchBuild({
    root: dirname(appsFolder),
    folder: join(appsFolder, service),
    onLine: (line) => output.child('build', line),
    onBuilt: restart,
  });
  try {
    const why = await Promise.race([ended, takeover.installationEnded.then(() => 'the installation has ended')]);
    output.info(`${why}: stopping`);
  } finally {
    build.stop();
    await child.stop(stopMs);
    takeover.end();
  }
}

function developed(service: string, run: RunFile, inherited: NodeJS.ProcessEnv, output: Output): Child {
  const environment = { ...inherited, ...run.environment, LOG_FORMAT: 'pretty' };
  return createChild(
    { name: service, script: mainScript(service), environment: () => environment },
    {
      output,
      timings,
      // The developer corrects an error with the next change.
      onGivenUp: (message) => output.warn(`${message}; waiting for the next change`),
    },
  );
}
