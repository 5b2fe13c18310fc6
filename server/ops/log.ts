import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from '../../shared/secrets.ts';

/** Our own values, whose digits could look like a secret. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['request_id', 'hostname']);

/**
 * The log as JSON lines. Secrets are removed from every string, since drivers and libraries put their input into error messages.
 */
export function createLog(level = 'info', destination?: DestinationStream): Logger {
  const options = { level, hooks: { streamWrite: withoutSecretsInLine } };
  return destination ? pino(options, destination) : pino(options);
}

function withoutSecretsInLine(line: string): string {
  const cleared = JSON.stringify(JSON.parse(line), (name, value: unknown) =>
    typeof value === 'string' && !OWN_FIELDS.has(name) ? withoutSecrets(value) : value,
  );
  return `${cleared}\n`;
}
