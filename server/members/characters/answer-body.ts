/** The longest answer that is read, in bytes after it was unpacked: a character's takes some kilobytes. */
export const MAX_ANSWER_BYTES = 1_048_576;

/**
 * The JSON of an answer, read piece by piece, so that what is packed small and unpacks to gigabytes, or never ends,
 * is let go of at the limit.
 * @throws Error when it is longer, SyntaxError when it is no JSON, and whatever breaks the connection
 */
export async function readJson(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
