import { AppError, invalid } from '@scriptorium/contracts';
import { parse, type Program } from 'acorn';

/**
 * Checks that a text is an ES module with a default export. It is not run.
 * @throws AppError `invalid_request` naming `body.script`
 */
export function checkScript(script: string): void {
  if (!exportsDefault(parsed(script))) throw invalid('body.script', 'Must have a default export');
}

function parsed(script: string): Program {
  try {
    return parse(script, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message } = error as Error;
    throw invalid('body.script', `Is no ES module: ${message.slice(0, 200)}`);
  }
}

function exportsDefault({ body }: Program): boolean {
  return body.some((node) => {
    if (node.type === 'ExportDefaultDeclaration') return true;
    if (node.type !== 'ExportNamedDeclaration') return false;
    return node.specifiers.some(
      ({ exported }) => (exported.type === 'Literal' ? exported.value : exported.name) === 'default',
    );
  });
}
