import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from '../../shared/secrets.ts';

/** Fields that the server makes itself, and whose digits could look like a secret. */
const MADE_HERE: ReadonlySet<string> = new Set(['request_id', 'hostname']);

/**
 * The log as JSON lines. Secrets are removed from every text of every line, whoever writes it: drivers and libraries put
 * what they were given into the messages of their errors.
 */
export function createLog(level = 'info', destination?: DestinationStream): Logger {
  const options = { level, hooks: { streamWrite: withoutSecretsInLine } };
  return destination ? pino(options, destination) : pino(options);
}

function withoutSecretsInLine(line: string): string {
  const cleared = JSON.stringify(JSON.parse(line), (name, value: unknown) =>
    typeof value === 'string' && !MADE_HERE.has(name) ? withoutSecrets(value) : value,
  );
  return `${cleared}\n`;
}
