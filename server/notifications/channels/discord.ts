import { type DiscordMessage, discordMessage, discordTest, MOST_EMBEDS, type SayInDiscord } from '../../../shared/discord/message.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { News } from '../../../shared/schemas/news.ts';
import { type ServerSaveSettings, serverSaveClock } from '../../board/config/clock.ts';
import type { Letter } from '../outbound/post.ts';

interface Addressed {
  url: string;
  language: Language;
}

/** How many of the changes that wait go into the next message. */
export const discordGathers = (waiting: number): number => Math.min(waiting, MOST_EMBEDS);

/** What a channel is told, at most `discordGathers` changes of it. */
export async function discordRequest({ env }: Pick<ServerSaveSettings, 'env'>, news: readonly News[], to: Addressed): Promise<Letter> {
  return letterOf(to, discordMessage(news, { say: await sayIn(to.language), clock: serverSaveClock({ env }) }));
}

/** What a channel is sent when an admin tries it. */
export async function discordTestRequest({ now }: Pick<ServerSaveSettings, 'now'>, to: Addressed): Promise<Letter> {
  return letterOf(to, discordTest({ say: await sayIn(to.language), now: now() }));
}

/** Three languages are loaded with the first message. */
async function sayIn(language: Language): Promise<SayInDiscord> {
  const { sentencesIn } = await import('../../http/sentences.ts');
  const say = sentencesIn(language);
  return (key, params = {}) => say(key, params);
}

const letterOf = ({ url }: Addressed, message: DiscordMessage): Letter => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
});
