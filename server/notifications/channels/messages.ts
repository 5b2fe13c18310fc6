import type { NewsType } from '../../../shared/schemas/news.ts';
import type { Db } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import type { Letter } from '../outbound/post.ts';
import type { StoredDestination } from './queries.ts';
import { GATHERED_MS } from './send-job.ts';
import { toldToPeople, type Waiting, waitingAfter } from './waiting.ts';

type Ctx = Pick<Writing, 'env' | 'now'> & { db: Db };

/** What is sent at once, and which news it tells. */
export interface Message {
  id: string;
  /** Of what it tells first. */
  type: NewsType;
  /** The newest news that it tells. */
  place: number;
  /** null: it tells nobody anything. */
  letter: Letter | null;
}

/** For how long a secret stays good once there is another one, in milliseconds. */
export const OLD_SECRET_MS = 24 * 3_600_000;

/** What a webhook's messages are signed with now, the newest first. */
function secretsOf({ secret, old_secret, old_secret_until }: StoredDestination, now: Date): string[] {
  const left = Date.parse(old_secret_until ?? '') - now.getTime();
  // Longer than ever is the word of a clock that has leapt.
  const isGood = left > 0 && left <= OLD_SECRET_MS;
  return [secret, isGood ? old_secret : null].filter((each) => each !== null);
}

const idOf = (destination: StoredDestination, { id }: Waiting): string => `msg_${id}_${destination.id}`;

/** The next message to a destination that has done with all up to a place; null: nothing waits, or what does is still gathered. */
export async function nextMessage(ctx: Ctx, destination: StoredDestination, place: number): Promise<Message | null> {
  return destination.kind === 'webhook' ? nextOfWebhook(ctx, destination, place) : nextOfDiscord(ctx, destination, place);
}

async function nextOfWebhook(ctx: Ctx, destination: StoredDestination, place: number): Promise<Message | null> {
  const [next] = await waitingAfter(ctx.db, destination, place, 1);
  if (!next) return null;
  const id = idOf(destination, next);
  return { id, type: next.type, place: next.id, letter: await webhookLetter(ctx, destination, id, next.news) };
}

export async function webhookLetter(
  ctx: Pick<Writing, 'now'>,
  destination: StoredDestination,
  id: string,
  news: { type: string; timestamp: string; data: unknown },
): Promise<Letter> {
  const { webhookRequest } = await import('./webhook.ts');
  const now = ctx.now();
  return webhookRequest(news, { id, url: destination.url, secrets: secretsOf(destination, now), now });
}

async function nextOfDiscord(ctx: Ctx, destination: StoredDestination, place: number): Promise<Message | null> {
  const { discordGathers, discordRequest } = await import('./discord.ts');
  const most = discordGathers(Number.POSITIVE_INFINITY);
  const waiting = await waitingAfter(ctx.db, destination, place, most);
  const [first, last] = [waiting[0], waiting.at(-1)];
  if (!first || !last) return null;
  if (waiting.length < most && isGathered(first.at, ctx.now())) return null;
  const told = toldToPeople(destination, waiting);
  const letter = told.length === 0 ? null : await discordRequest(ctx, told, destination);
  return { id: idOf(destination, first), type: told[0]?.type ?? first.type, place: last.id, letter };
}

/** Whether what happened then is still waited with; what is yet to happen is the word of a clock that has leapt. */
function isGathered(at: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(at);
  return age >= 0 && age < GATHERED_MS.discord;
}
