import i18next from 'i18next';
import { countIn, DomainError, type ErrorCode, type Params } from '../../shared/errors.ts';
import type { Refusal } from '../../shared/live.ts';
import en from '../../shared/locales/en.json' with { type: 'json' };
import { refusalOfDatabase } from '../db/failures.ts';

/** The sentences that the server says itself. */
export const english = i18next.createInstance();
await english.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } });
// What pages show by the reader's locale: a caller of the API gets it as it is stored.
english.services.formatter?.add('day', String);

/** The English sentence, the stable code and its parameters: the shape of every failure. */
export function refusalOf(code: ErrorCode, params: Params = {}): Refusal {
  return { error: english.t(`errors.${code}`, { ...params, ...countIn(params) }), code, params };
}

/** What an error says to whoever asked; a database that fails is a refusal, too, and whatever nobody foresaw is server.failed. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return refusalOfDatabase(error) ?? new DomainError('server.failed');
}
