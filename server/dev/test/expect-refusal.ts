import { expect } from 'vitest';
import { errors } from '../../../shared/error-codes.ts';
import type { ErrorCode, Params } from '../../../shared/errors.ts';
import type { TestApp } from './test-app.ts';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Every failure is JSON with a status, an English sentence, a stable code and its parameters, these among them, and nothing else. */
export function expectRefusal(
  answer: Answer,
  status: number,
  code: ErrorCode,
  error: string,
  params: Params = {},
): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error, code, params: expect.objectContaining(params) },
  });
  expect(status).toBe(errors[code].status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

/** Reads and refused writes leave the clock alone, here and in the database. */
export async function expectNoTick<T>(app: TestApp, work: () => PromiseLike<T>): Promise<T> {
  const before = await clocks(app);
  const result = await work();
  expect(await clocks(app)).toEqual(before);
  return result;
}

async function clocks({ ctx }: TestApp): Promise<{ handed_out: number; stored: number }> {
  const { value } = await ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
  return { handed_out: ctx.bus.clock(), stored: value };
}
