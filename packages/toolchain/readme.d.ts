/** The examples in JavaScript of a package's README, each with the heading above it. */
export function readmeExamples(packageFolder: string): [heading: string, code: string][];

/** Runs an example as a reader would: in a process of its own, with the built package by its name. */
export function runExample(packageFolder: string, code: string): { stderr: string; status: number | null };
