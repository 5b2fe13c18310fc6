/** What Node is told before the file of a program of ours, other than the server's, which needs no word of it. */
export const LOADING = ['--import', new URL('load.mjs', import.meta.url).href];
