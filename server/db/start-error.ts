/** An error whose message is all that the operator needs; shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
