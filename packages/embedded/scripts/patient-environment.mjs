import { TestEnvironment } from 'jest-environment-node';

/** How many times as long as they say specs and hooks may take. */
const factor = Number(process.env['PATIENCE'] ?? 1);

/** Node's environment, for servers that are asked what they answer and not how fast. */
export default class PatientEnvironment extends TestEnvironment {
  handleTestEvent(event, state) {
    if (event.name !== 'run_start') return;
    state.testTimeout *= factor;
    slow(state.rootDescribeBlock);
  }
}

function slow({ children, hooks }) {
  for (const limited of [...hooks, ...children]) {
    if (limited.timeout !== undefined) limited.timeout *= factor;
    if (limited.type === 'describeBlock') slow(limited);
  }
}
