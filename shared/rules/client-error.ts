/** Signs of what a page reports of an error. */
export const MAX_ERROR_MESSAGE = 300;
export const MAX_ERROR_STACK = 2_000;
export const MAX_ERROR_PAGE = 200;
