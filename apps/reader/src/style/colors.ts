/** The colors of pages, for light surroundings. */
export const light = `
  --back: #ffffff; --surface: #f6f7f9; --line: #d9dde3; --text: #1b1f26; --soft: #555e6b;
  --info: #1f5fbf; --success: #18703c; --warning: #8a5300; --danger: #b3261e;
  --code-key: #8a1f86; --code-string: #11653a; --code-number: #8a4600; --code-comment: #5b6470; --code-name: #1a55a8;
`;
/** The same for dark ones. */
export const dark = `
  --back: #14171c; --surface: #1d2128; --line: #343b46; --text: #e7eaef; --soft: #a9b2bf;
  --info: #8cb8ff; --success: #7ddba1; --warning: #f2be6b; --danger: #ff9d94;
  --code-key: #e39be0; --code-string: #8fdcae; --code-number: #f0b985; --code-comment: #9aa4b1; --code-name: #9cc2ff;
`;
