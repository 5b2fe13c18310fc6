import { expect, test } from 'vitest';
import { kindOfUrl } from './channel-values.ts';

test.each([
  ['https://discord.com/api/webhooks/123/abc', 'discord', true],
  [' https://ptb.discord.com/api/v10/webhooks/123/abc ', 'discord', true],
  ['https://discordapp.com/api/webhooks/123/abc', 'discord', true],
  ['https://discord.com/channels/1/2', 'discord', false],
  ['https://discord.com.example.org/api/webhooks/123/abc', 'webhook', true],
  ['http://127.0.0.1:8080/hook', 'webhook', true],
])('%s is of kind %s', (text, kind, isWhole) => {
  expect(kindOfUrl(text)).toMatchObject({ kind, isWhole });
});

test.each(['', 'discord', 'discord.com/api/webhooks/1/a', 'ftp://example.org', 'https://'])(
  '%o is no address',
  (text) => {
    expect(kindOfUrl(text)).toBeNull();
  },
);
