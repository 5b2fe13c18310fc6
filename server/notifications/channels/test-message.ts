import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../shared/errors.ts';
import type { TestAnswer } from '../../../shared/schemas/destination.ts';
import type { Context } from '../../context.ts';
import type { Letter } from '../outbound/post.ts';
import { notificationsPausedAt } from '../outbox/pause.ts';
import { webhookLetter } from './messages.ts';
import { findDestination, type StoredDestination } from './queries.ts';
import { readAnswer } from './read-answer.ts';

type Testing = Pick<Context, 'env' | 'db' | 'now' | 'post' | 'testing'>;

/**
 * Sends a destination a test message, past all that waits for it, and once. Whoever asks meanwhile gets the same answer.
 * @throws DomainError destination.notFound, notifications.paused
 */
export async function testDestination(ctx: Testing, id: number): Promise<TestAnswer> {
  const underWay = ctx.testing.get(id);
  if (underWay) return underWay;
  const answer = sendTest(ctx, id).finally(() => ctx.testing.delete(id));
  ctx.testing.set(id, answer);
  return answer;
}

async function sendTest(ctx: Testing, id: number): Promise<TestAnswer> {
  const destination = await findDestination(ctx.db, id);
  if (!destination) throw new DomainError('destination.notFound');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  const letter = await testLetter(ctx, destination);
  const began = performance.now();
  const answer = await ctx.post(letter);
  const ms = Math.round(performance.now() - began);
  const verdict = readAnswer(destination.kind, answer, ctx.now());
  const error = verdict.of === 'delivered' ? null : verdict.error;
  return { ok: error === null, status: answer.ok ? answer.status : null, error, ms };
}

async function testLetter(ctx: Testing, destination: StoredDestination): Promise<Letter> {
  if (destination.kind === 'webhook') {
    const news = { type: 'test', timestamp: ctx.now().toISOString(), data: {} };
    return webhookLetter(ctx, destination, `msg_test_${randomUUID()}`, news);
  }
  const { discordTestRequest } = await import('./discord.ts');
  return discordTestRequest(ctx, destination);
}
