import { listOf, members, type Members } from '../text/values.js';

/** Two schemas that both hold, as the parts of `allOf`, in one; where they differ, the second one says what it is. */
export function mergedSchemas(first: Members, second: Members): Record<string, unknown> {
  const properties = { ...members(first['properties']), ...members(second['properties']) };
  const required = [...listOf(first['required']), ...listOf(second['required'])];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}
