import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

/** The one line that the operator reads. */
function complaint(variables: Record<string, string>): string {
  try {
    readEnv(variables);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the settings', () => {
  it('have defaults, so that none needs to be set', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      DATA_DIR: 'data',
      ADMIN_USERNAME: 'admin',
      BOARD_VISIBILITY: 'members',
      SS_TIME_ZONE: 'America/Los_Angeles',
      SS_HOUR: 1,
      HORIZON_DAYS: 60,
      CHARACTER_CHECK: 'tibiadata',
      CHARACTER_API_URL: 'https://api.tibiadata.com',
      CHARACTER_CHECK_SECONDS: 60,
      TRUST_PROXY: '0',
      ALLOW_PRIVATE_DESTINATIONS: '0',
      ARCHIVE_AFTER_DAYS: 0,
      ACTIVITY_KEPT_DAYS: 0,
      UNDO_KEPT_DAYS: 90,
      BACKUP_HOURS: 24,
      BACKUPS_KEPT: 7,
      LOG_LEVEL: 'info',
    });
  });

  it('count as unset when empty, and unknown ones are ignored', () => {
    expect(readEnv({ PORT: '', SS_TIME_ZONE: '', ADMIN_PASSWORD: '', DATABASE_URL: '', HOME: '/root' })).toEqual(readEnv({}));
  });

  it('are taken as they are when they are good', () => {
    const good = {
      PORT: '8080',
      HOST: '127.0.0.1',
      DATA_DIR: '/srv/board',
      DATABASE_URL: 'postgres://board:secret@db:5432/board',
      ADMIN_USERNAME: '  Bubble ',
      ADMIN_PASSWORD: 'sixsix',
      BOARD_VISIBILITY: 'public',
      SS_TIME_ZONE: 'Europe/Berlin',
      SS_HOUR: '10',
      HORIZON_DAYS: '366',
      CHARACTER_CHECK: 'manual',
      CHARACTER_API_URL: 'http://localhost:8080',
      CHARACTER_CHECK_SECONDS: '5',
      GUILD_NAME: 'Red Rose',
      TRUST_PROXY: '1',
      ALLOW_PRIVATE_DESTINATIONS: '1',
      ARCHIVE_AFTER_DAYS: '400',
      ACTIVITY_KEPT_DAYS: '1000',
      UNDO_KEPT_DAYS: '30',
      BACKUP_HOURS: '1',
      BACKUPS_KEPT: '0',
      LOG_LEVEL: 'debug',
    };
    const numbers = {
      ARCHIVE_AFTER_DAYS: 400,
      ACTIVITY_KEPT_DAYS: 1000,
      UNDO_KEPT_DAYS: 30,
      BACKUP_HOURS: 1,
      BACKUPS_KEPT: 0,
      PORT: 8080,
      SS_HOUR: 10,
      HORIZON_DAYS: 366,
      CHARACTER_CHECK_SECONDS: 5,
    };
    expect(readEnv(good)).toMatchObject({ ...good, ...numbers, ADMIN_USERNAME: 'Bubble' });
    expect(readEnv({ CHARACTER_API_URL: 'https://data.example.org/tibia/' }).CHARACTER_API_URL).toBe('https://data.example.org/tibia');
    expect(readEnv({ DATABASE_URL: 'postgresql://db/board' }).DATABASE_URL).toBe('postgresql://db/board');
  });

  const wholeFrom = (name: string, min: number, max: number, value: string): string =>
    `${name} must be a whole number from ${min} to ${max} (it is "${value}")`;
  it.each([
    ['PORT', 'http', wholeFrom('PORT', 0, 65_535, 'http')],
    ['PORT', '65536', wholeFrom('PORT', 0, 65_535, '65536')],
    ['PORT', '-1', wholeFrom('PORT', 0, 65_535, '-1')],
    ['PORT', '3000.5', wholeFrom('PORT', 0, 65_535, '3000.5')],
    ['PORT', ' ', wholeFrom('PORT', 0, 65_535, ' ')],
    ['SS_HOUR', '24', wholeFrom('SS_HOUR', 0, 23, '24')],
    ['ARCHIVE_AFTER_DAYS', '-1', wholeFrom('ARCHIVE_AFTER_DAYS', 0, 36_500, '-1')],
    ['ACTIVITY_KEPT_DAYS', 'never', wholeFrom('ACTIVITY_KEPT_DAYS', 0, 36_500, 'never')],
    ['UNDO_KEPT_DAYS', '36501', wholeFrom('UNDO_KEPT_DAYS', 0, 36_500, '36501')],
    ['BACKUP_HOURS', '8785', wholeFrom('BACKUP_HOURS', 0, 8_784, '8785')],
    ['BACKUPS_KEPT', '1001', wholeFrom('BACKUPS_KEPT', 0, 1_000, '1001')],
    ['HORIZON_DAYS', '0', wholeFrom('HORIZON_DAYS', 1, 366, '0')],
    ['HORIZON_DAYS', '367', wholeFrom('HORIZON_DAYS', 1, 366, '367')],
    ['SS_HOUR', 'one', wholeFrom('SS_HOUR', 0, 23, 'one')],
    ['SS_TIME_ZONE', 'Europe/Thais', 'SS_TIME_ZONE must be a time zone such as America/Los_Angeles (it is "Europe/Thais")'],
    ['ADMIN_USERNAME', '   ', 'ADMIN_USERNAME must not be empty (it is "   ")'],
    ['ADMIN_USERNAME', 'a'.repeat(61), `ADMIN_USERNAME must have at most 60 characters (it is "${'a'.repeat(61)}")`],
    ['ADMIN_PASSWORD', 'x'.repeat(201), 'ADMIN_PASSWORD must have at most 200 characters'],
    ['BOARD_VISIBILITY', 'secret', 'BOARD_VISIBILITY must be members or public (it is "secret")'],
    ['CHARACTER_CHECK', 'maybe', 'CHARACTER_CHECK must be tibiadata or manual (it is "maybe")'],
    ['CHARACTER_API_URL', 'tibiadata', 'CHARACTER_API_URL must look like https://api.tibiadata.com (it is "tibiadata")'],
    ['CHARACTER_API_URL', 'ftp://data', 'CHARACTER_API_URL must look like https://api.tibiadata.com (it is "ftp://data")'],
    ['CHARACTER_CHECK_SECONDS', '0', wholeFrom('CHARACTER_CHECK_SECONDS', 1, 3600, '0')],
    ['GUILD_NAME', '  ', 'GUILD_NAME must not be empty (it is "  ")'],
    ['TRUST_PROXY', 'yes', 'TRUST_PROXY must be 0 or 1 (it is "yes")'],
    ['ALLOW_PRIVATE_DESTINATIONS', 'all', 'ALLOW_PRIVATE_DESTINATIONS must be 0 or 1 (it is "all")'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be silent, error, warn, info or debug (it is "loud")'],
  ])('%s=%s is refused in one line that names it', (name, value, line) => {
    expect(complaint({ [name]: value })).toBe(line);
  });

  it('that are secret are named, but not shown', () => {
    expect(complaint({ ADMIN_PASSWORD: 'tiny' })).toBe('ADMIN_PASSWORD must have at least 6 characters');
    const expected = 'DATABASE_URL must look like postgres://user:password@host:5432/database';
    expect(complaint({ DATABASE_URL: 'mysql://board:hunter2@db/board' })).toBe(expected);
    expect(complaint({ DATABASE_URL: 'postgres://board:hunter 2@db/board' })).toBe(expected);
  });

  it('are complained about in one line, also when the value has several', () => {
    expect(complaint({ SS_TIME_ZONE: 'Europe/\nBerlin' }).split('\n')).toHaveLength(1);
  });

  it('are complained about one at a time', () => {
    expect(complaint({ PORT: 'x', SS_HOUR: 'y' })).toContain('PORT');
    expect(complaint({ PORT: 'x', SS_HOUR: 'y' })).not.toContain('SS_HOUR');
  });
});
