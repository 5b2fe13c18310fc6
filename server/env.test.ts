import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mistypedSettings, readEnv, readSettings, settingsFileOf } from './env.ts';

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
    expect(
      readEnv({ PORT: '', SS_TIME_ZONE: '', ADMIN_PASSWORD: '', DATABASE_URL: '', HOME: '/root' }),
    ).toEqual(readEnv({}));
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
    expect(
      readEnv({ CHARACTER_API_URL: 'https://data.example.org/tibia/' }).CHARACTER_API_URL,
    ).toBe('https://data.example.org/tibia');
    expect(readEnv({ DATABASE_URL: 'postgresql://db/board' }).DATABASE_URL).toBe(
      'postgresql://db/board',
    );
  });

  const wholeFrom = (name: string, min: number, max: number, value: string): string =>
    `${name} must be a whole number from ${min} to ${max} (it is "${value}")`;
  it.each([
    ['PORT', 'http', wholeFrom('PORT', 0, 65_535, 'http')],
    ['PORT', '65536', wholeFrom('PORT', 0, 65_535, '65536')],
    ['PORT', '-1', wholeFrom('PORT', 0, 65_535, '-1')],
    ['PORT', '3000.5', wholeFrom('PORT', 0, 65_535, '3000.5')],
    ['SS_HOUR', '24', wholeFrom('SS_HOUR', 0, 23, '24')],
    ['ARCHIVE_AFTER_DAYS', '-1', wholeFrom('ARCHIVE_AFTER_DAYS', 0, 36_500, '-1')],
    ['ACTIVITY_KEPT_DAYS', 'never', wholeFrom('ACTIVITY_KEPT_DAYS', 0, 36_500, 'never')],
    ['UNDO_KEPT_DAYS', '36501', wholeFrom('UNDO_KEPT_DAYS', 0, 36_500, '36501')],
    ['BACKUP_HOURS', '8785', wholeFrom('BACKUP_HOURS', 0, 8_784, '8785')],
    ['BACKUPS_KEPT', '1001', wholeFrom('BACKUPS_KEPT', 0, 1_000, '1001')],
    ['HORIZON_DAYS', '0', wholeFrom('HORIZON_DAYS', 1, 366, '0')],
    ['HORIZON_DAYS', '367', wholeFrom('HORIZON_DAYS', 1, 366, '367')],
    ['SS_HOUR', 'one', wholeFrom('SS_HOUR', 0, 23, 'one')],
    [
      'SS_TIME_ZONE',
      'Europe/Thais',
      'SS_TIME_ZONE must be a time zone such as America/Los_Angeles (it is "Europe/Thais")',
    ],
    [
      'ADMIN_USERNAME',
      'a'.repeat(61),
      `ADMIN_USERNAME must have at most 60 characters (it is "${'a'.repeat(61)}")`,
    ],
    ['ADMIN_PASSWORD', 'x'.repeat(201), 'ADMIN_PASSWORD must have at most 200 characters'],
    ['BOARD_VISIBILITY', 'secret', 'BOARD_VISIBILITY must be members or public (it is "secret")'],
    ['CHARACTER_CHECK', 'maybe', 'CHARACTER_CHECK must be tibiadata or manual (it is "maybe")'],
    [
      'CHARACTER_API_URL',
      'tibiadata',
      'CHARACTER_API_URL must look like https://api.tibiadata.com (it is "tibiadata")',
    ],
    [
      'CHARACTER_API_URL',
      'ftp://data',
      'CHARACTER_API_URL must look like https://api.tibiadata.com (it is "ftp://data")',
    ],
    ['CHARACTER_CHECK_SECONDS', '0', wholeFrom('CHARACTER_CHECK_SECONDS', 1, 3600, '0')],
    ['TRUST_PROXY', 'yes', 'TRUST_PROXY must be 0 or 1 (it is "yes")'],
    [
      'ALLOW_PRIVATE_DESTINATIONS',
      'all',
      'ALLOW_PRIVATE_DESTINATIONS must be 0 or 1 (it is "all")',
    ],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be silent, error, warn, info or debug (it is "loud")'],
  ])('%s=%s is refused in one line that names it', (name, value, line) => {
    expect(complaint({ [name]: value })).toBe(line);
  });

  it('that are secret are named, but not shown', () => {
    expect(complaint({ ADMIN_PASSWORD: 'tiny' })).toBe(
      'ADMIN_PASSWORD must have at least 6 characters',
    );
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

describe('values', () => {
  it('are trimmed of white space, a carriage return and one pair of quotes', () => {
    const left = {
      ADMIN_PASSWORD: 'sixsix\r',
      DATA_DIR: '/srv/board\r\n',
      HOST: '"127.0.0.1"',
      GUILD_NAME: "'Red Rose'",
      PORT: ' 8080 ',
    };
    const wanted = {
      ADMIN_PASSWORD: 'sixsix',
      DATA_DIR: '/srv/board',
      HOST: '127.0.0.1',
      GUILD_NAME: 'Red Rose',
      PORT: 8080,
    };
    expect(readEnv(left)).toMatchObject(wanted);
    // One pair, and only a pair.
    expect(readEnv({ GUILD_NAME: '""Red" Rose"' }).GUILD_NAME).toBe('"Red" Rose');
    expect(readEnv({ HOST: ' "127.0.0.1"\r' }).HOST).toBe('127.0.0.1');
    expect(readEnv({ GUILD_NAME: 'Red "Rose"' }).GUILD_NAME).toBe('Red "Rose"');
    expect(readEnv({ GUILD_NAME: '""', PUBLIC_URL: ' ', HOST: '\r' })).toEqual(readEnv({}));
  });

  it('that are no address are refused with the name of the setting', () => {
    for (const PUBLIC_URL of [
      'board.example',
      'https://',
      'https://a b',
      'ftp://board.example',
      'http//board.example',
    ]) {
      expect(complaint({ PUBLIC_URL })).toBe(
        `PUBLIC_URL must look like https://board.example (it is ${JSON.stringify(PUBLIC_URL)})`,
      );
    }
    expect(complaint({ CHARACTER_API_URL: 'api.example' })).toMatch(
      /^CHARACTER_API_URL must look like/,
    );
    expect(complaint({ HOST: '127.0.0.1 ::1' })).toMatch(/^HOST must be an address or a host name/);
  });
});

describe('the settings file', () => {
  async function file(text: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-env-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const name = path.join(folder, 'claimboard.env');
    await writeFile(name, text);
    return name;
  }
  const refusal = async (text: string): Promise<string> => {
    const name = await file(text);
    try {
      readSettings({}, name);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  it('gives the settings that the environment does not, also with the marks that Windows leaves', async () => {
    const name = await file(
      '\uFEFF# The board\r\nPORT=8080\r\n\r\nexport GUILD_NAME="Red Rose"\r\n SS_HOUR = 10 # or 11\r\nHOST=\r\n',
    );
    expect(readSettings({}, name)).toMatchObject({
      PORT: 8080,
      GUILD_NAME: 'Red Rose',
      SS_HOUR: 10,
      HOST: '0.0.0.0',
    });
    expect(readSettings({ PORT: '9090', GUILD_NAME: '' }, name)).toMatchObject({
      PORT: 9090,
      SS_HOUR: 10,
    });
    expect(readSettings({ GUILD_NAME: '' }, name).GUILD_NAME).toBeUndefined();
  });

  it('stops the program at a name that is no setting, and suggests the one that was meant', async () => {
    expect(await refusal('PUBIC_URL=https://board.example')).toBe(
      'PUBIC_URL in claimboard.env is no setting. Did you mean PUBLIC_URL?',
    );
    expect(await refusal('public_url=x')).toContain('Did you mean PUBLIC_URL?');
    expect(await refusal('COLOR=red')).toBe(
      'COLOR in claimboard.env is no setting. server/ops/README.md lists all settings.',
    );
    expect(await refusal('PORT=1\nPUBLIC_URL: https://board.example')).toBe(
      'claimboard.env, line 2, is not NAME=value',
    );
    // Node would take the rest for a comment.
    for (const value of ['correct#horse', '#horse', 'a b#c'])
      expect(await refusal(`ADMIN_PASSWORD=${value}`)).toBe(
        'claimboard.env, line 1: put a value that contains # in quotes',
      );
    expect(await refusal('PORT=http')).toContain('PORT must be a whole number');
  });

  it('may be missing beside package.json, or be another one that exists', () => {
    expect(path.basename(settingsFileOf({}) ?? '')).toBe('claimboard.env');
    expect(settingsFileOf({ SETTINGS_FILE: '' })).toBeNull();
    expect(() => readSettings({}, '/nowhere/claimboard.env')).toThrow(
      '/nowhere/claimboard.env cannot be read: ENOENT',
    );
    expect(() => readSettings({}, tmpdir())).toThrow(/cannot be read: EISDIR/);
  });
});

it('a variable that looks like a mistyped setting is named, unless it is set, and other programs’ are not', () => {
  expect(
    mistypedSettings({
      PUBIC_URL: 'x',
      DATABASE_URI: 'x',
      POST: 'x',
      HOSTNAME: 'x',
      XDG_DATA_DIRS: 'x',
      PORT: '1',
    }),
  ).toEqual([
    { name: 'PUBIC_URL', meant: 'PUBLIC_URL' },
    { name: 'DATABASE_URI', meant: 'DATABASE_URL' },
  ]);
  expect(mistypedSettings({ PUBIC_URL: 'x', PUBLIC_URL: 'https://board.example' })).toEqual([]);
});
