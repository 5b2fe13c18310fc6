import type { ColumnType } from 'kysely';

export type Flag = 0 | 1;
/** JSON kept as text, so that SQLite and PostgreSQL hold the same. */
export type JsonText = string;
export type Timestamp = string;
export type ServerSaveDate = string;
export type WithDefault<T> = ColumnType<T, T | undefined, T>;
