import { expect, it } from 'vitest';
import { dayEmbed, hourStrip, type SayInApp, type ShownDay } from './app-message.ts';

const clock = { ss_time_zone: 'UTC', ss_hour: 10 };
const say: SayInApp = (key, params = {}) =>
  `${key.slice('discordApp.'.length)} ${Object.values(params).join(' ')}`.trim();
const aDay = (change: Partial<ShownDay> = {}): ShownDay => ({
  respawn_name: 'Cobra Bastion',
  date: '2026-11-21',
  taken: [
    { hour_start: 10, hour_end: 12, character_name: 'Ann', is_held: false },
    { hour_start: 12, hour_end: 13, character_name: 'Bob', is_held: true },
  ],
  free: [{ hour_start: 13, hour_end: 24 }],
  over: 9,
  waitlist: [],
  background_color: '#3182ce',
  ...change,
});

it('draws an hour a character', () => {
  expect(hourStrip(aDay())).toBe('·········░██▒░░░░░░░░░░░');
  expect(hourStrip(aDay({ taken: [], over: 0 }))).toBe('░'.repeat(24));
});

it('lists claims, free hours and the waitlist in the reader’s time', () => {
  const { title, description, color } = dayEmbed(
    aDay({ waitlist: [{ hour_start: 10, hour_end: 12, character_name: 'Cid' }] }),
    say,
    clock,
  );
  expect([title, color]).toEqual(['Cobra Bastion', 0x31_82_ce]);
  expect(description).toContain('·········░██▒░░░░░░░░░░░\n0     6     12    18    24');
  expect(description).toContain('claimed hours 10 12 <t:1795291200:t> <t:1795298400:t> Ann');
  expect(description).toContain('held hours 12 13');
  expect(description).toContain('free hours 13 24');
  expect(description).toContain('entry 1 hours 10 12');
});

it('fits Discord’s limits with any names, and mentions no one', () => {
  const taken = Array.from({ length: 24 }, (_, hour) => ({
    hour_start: hour,
    hour_end: hour + 1,
    character_name: '@everyone*'.repeat(6),
    is_held: false,
  }));
  const { description } = dayEmbed(aDay({ taken, free: [] }), say, clock);
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(description).not.toMatch(/(?<!\\)@everyone/);
});
