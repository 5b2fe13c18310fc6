/** The header that names a request in every answer, in the server's log and in reports of errors. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Hexadecimal digits and hyphens, as in UUIDs and nginx's `$request_id`: too few kinds of characters to smuggle a key or a token. */
export const REQUEST_ID = /^[0-9a-f-]{16,36}$/i;
