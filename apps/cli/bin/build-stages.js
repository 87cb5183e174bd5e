const folders = ['packages', 'services'];
const stages = [...folders, 'start'];
const remindEveryMs = 10_000;
const task = /^@scriptorium\/([\w-]+):transpile: cache (hit|miss)/;

/**
 * Turns the lines of turbo into lines for whoever waits: one at the beginning of each stage that has something to build,
 * and one at the end, with seconds since the beginning. A build that is up to date has none.
 * @param {{ packages: ReadonlySet<string>, say: (line: string) => void, now: () => number }} input `packages`: names of
 * the workspaces of the first stage; all others are of the second one
 */
export function buildStages({ packages, say, now }) {
  const began = now();
  let stage;
  let built = 0;
  const after = () => `after ${((now() - began) / 1000).toFixed(1)} s`;
  const place = (name) => `(${stages.indexOf(name) + 1} of ${stages.length})`;
  return {
    remindEveryMs,
    /** A line of turbo. */
    line(text) {
      const [, name, found] = task.exec(text) ?? [];
      if (found !== 'miss') return;
      built += 1;
      const of = packages.has(name) ? 'packages' : 'services';
      // Turbo begins with a service when the packages that it needs are there; others may still follow.
      if (stage === of || stage === 'services') return;
      say(`building ${of} ${place(of)}${stage === undefined ? '' : ` ${after()}`}`);
      stage = of;
    },
    /** Says from time to time that the build goes on. */
    remind() {
      if (stage !== undefined) say(`building ${stage} ${place(stage)}: part ${built} ${after()}`);
    },
    /** The build has ended well. */
    end() {
      if (stage !== undefined)
        say(`built ${built} ${built === 1 ? 'part' : 'parts'} ${after()}; starting ${place('start')}`);
    },
  };
}
