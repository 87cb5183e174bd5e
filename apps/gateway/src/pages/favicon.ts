/** Where the icon is served. Browsers ask for this path unless a page links another one. */
export const faviconPath = '/favicon.ico';

/** The icon: an open book with lines of text. */
export const favicon = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
  '<rect width="32" height="32" rx="7" fill="#0b57d0"/>',
  '<path d="M16 10c-2.5-2-6-2.5-10-2.5v15c4 0 7.5.5 10 2.5 2.5-2 6-2.5 10-2.5v-15c-4 0-7.5.5-10 2.5z" fill="#fff"/>',
  '<path d="M16 10v15M9 12.5c1.6.1 3 .4 4.3.9M9 16.5c1.6.1 3 .4 4.3.9M23 12.5c-1.6.1-3 .4-4.3.9M23 16.5c-1.6.1-3 .4-4.3.9" fill="none" stroke="#0b57d0" stroke-width="1.4" stroke-linecap="round"/>',
  '</svg>',
].join('');
