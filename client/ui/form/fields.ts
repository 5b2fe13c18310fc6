import type { ReactNode } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ErrorCode } from '../../../shared/errors.ts';
import { ApiError } from '../../api/request.ts';

export type FieldName<V extends FieldValues> = Extract<keyof V, FieldPath<V>>;

/** One field of a form for records `R`: everything that the form, its conflicts and its refusals need to know. */
interface FormField<R, V extends FieldValues, F extends FieldName<V>> {
  label: string;
  /** The value of a record; left out where there are only new ones. */
  from?: (record: R) => V[F];
  /** The value as it is sent, unless it is sent as it is. Versions that send the same are equal. */
  send?: (value: V[F], values: V) => unknown;
  /** The value for a reader, unless it is a text already. */
  words?: (value: V[F]) => ReactNode;
  /** Refusals of the server that are about this field. */
  codes?: readonly ErrorCode[];
  /** Said of a value that the schema refuses without one of our codes. */
  invalid?: (value: V[F]) => string;
}

/** The rows in the order in which a conflict lists them. */
export type FormFields<R, V extends FieldValues> = {
  readonly [F in FieldName<V>]: FormField<R, V, F>;
};

function keysOf<T extends object>(object: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = [];
  for (const key in object) keys.push(key);
  return keys;
}

export const namesOf = <R, V extends FieldValues>(fields: FormFields<R, V>): FieldName<V>[] =>
  keysOf(fields);

export function valuesOf<R, V extends FieldValues>(fields: FormFields<R, V>, record: R): V {
  const values: Partial<V> = {};
  for (const name of namesOf(fields)) {
    const { from } = fields[name];
    if (from) values[name] = from(record);
  }
  if (!isWhole(values, fields)) throw new Error('a field has no value of a record');
  return values;
}

const isWhole = <R, V extends FieldValues>(
  values: Partial<V>,
  fields: FormFields<R, V>,
): values is V => namesOf(fields).every((name) => name in values);

function sent<R, V extends FieldValues>(
  fields: FormFields<R, V>,
  values: V,
  name: FieldName<V>,
): unknown {
  const { send } = fields[name];
  return send ? send(values[name], values) : values[name];
}

export const inputOf = <R, V extends FieldValues>(
  fields: FormFields<R, V>,
  values: V,
): Record<string, unknown> =>
  Object.fromEntries(namesOf(fields).map((name) => [name, sent(fields, values, name)]));

export const differing = <R, V extends FieldValues>(
  fields: FormFields<R, V>,
  before: V,
  after: V,
): FieldName<V>[] =>
  namesOf(fields).filter((name) => !isSame(sent(fields, before, name), sent(fields, after, name)));

const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other));

export function pick<T extends object>(from: T, names: readonly string[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of keysOf(from)) if (names.includes(name)) picked[name] = from[name];
  return picked;
}

export const wordsOf = <R, V extends FieldValues>(
  fields: FormFields<R, V>,
  name: FieldName<V>,
  values: V,
): ReactNode => {
  const { words } = fields[name];
  return words ? words(values[name]) : values[name];
};

/** The field that a refusal by the server is about, if it is about one. */
export const fieldOf = <R, V extends FieldValues>(
  fields: FormFields<R, V>,
  error: unknown,
): FieldName<V> | undefined =>
  error instanceof ApiError
    ? namesOf(fields).find((name) => fields[name].codes?.some((code) => code === error.code))
    : undefined;
