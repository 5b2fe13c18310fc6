/** Why an outgoing request failed, as the server stores it. Each has a sentence at `admin.notifications.failure`. */
const DELIVERY_FAILURES = [
  'timeout',
  'stopped',
  'private',
  'notAllowed',
  'unknownHost',
  'restored',
  'unreachable',
  'tls',
  'reset',
  'tooLarge',
  'unreadable',
] as const;

export type FailureSentence =
  | { key: `admin.notifications.failure.${(typeof DELIVERY_FAILURES)[number]}`; params: object }
  | { key: 'admin.notifications.failure.status'; params: { status: string } };

/** The sentence for a stored failure: a known one or an HTTP status. null: a message of the runtime, shown as it is. */
export function failureSentence(error: string): FailureSentence | null {
  const known = DELIVERY_FAILURES.find((one) => one === error);
  if (known) return { key: `admin.notifications.failure.${known}`, params: {} };
  const status = /^HTTP (\d{3})$/.exec(error)?.[1];
  return status ? { key: 'admin.notifications.failure.status', params: { status } } : null;
}
