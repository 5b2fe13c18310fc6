/** Characters of a browser error's message. */
export const MAX_ERROR_MESSAGE = 300;
/** Characters of a browser error's stack. */
export const MAX_ERROR_STACK = 2_000;
/** Characters of the path of its page. */
export const MAX_ERROR_PAGE = 200;
