// The compiler for types and declarations is the native one, which takes a tenth of the time. JavaScript is written by
// transpile.js with the compiler that has an API, as does ESLint; both are called `tsc`, so this names the one that is
// meant.
await import(new URL('lib/tsc.js', import.meta.resolve('typescript-native/package.json')).href);
