import path from 'node:path';
import { expect, it } from 'vitest';
import { startLines } from './start-line.ts';

it('the folder that npm start uses anyway needs no setting', () => {
  expect(startLines({ DATA_DIR: 'data' })).toBe('Start it with:  npm start\n');
  expect(startLines({ DATA_DIR: path.resolve('data') })).toBe('Start it with:  npm start\n');
});

it('another folder is named for this shell, and for the settings file', () => {
  expect(startLines({ DATA_DIR: '/srv/board' }, 'linux')).toBe(
    'Start it with:  DATA_DIR=/srv/board npm start\nOr put this line into claimboard.env, and run npm start:  DATA_DIR=/srv/board\n',
  );
  expect(startLines({ DATA_DIR: 'elsewhere' }, 'linux')).toContain(
    `DATA_DIR=${path.resolve('elsewhere')} npm start\n`,
  );
  expect(startLines({ DATA_DIR: '/srv/board' }, 'win32')).toContain(
    "Start it with:  $env:DATA_DIR='/srv/board'; npm start\n",
  );
});

it('characters that a shell would take for its own are quoted', () => {
  expect(startLines({ DATA_DIR: '/srv/our board' }, 'linux')).toContain(
    "Start it with:  DATA_DIR='/srv/our board' npm start\n",
  );
  const DATA_DIR = "/srv/Thora's $board";
  expect(startLines({ DATA_DIR }, 'linux')).toContain(
    "DATA_DIR='/srv/Thora'\\''s $board' npm start\n",
  );
  expect(startLines({ DATA_DIR }, 'win32')).toContain(
    "$env:DATA_DIR='/srv/Thora''s $board'; npm start\n",
  );
  expect(startLines({ DATA_DIR: '/srv/#1' }, 'linux')).toMatch(/: {2}DATA_DIR='\/srv\/#1'\n$/);
});

it('the address of PostgreSQL, which has a password, is not repeated', () => {
  const lines = startLines({ DATA_DIR: 'data', DATABASE_URL: 'postgres://board:hunter2@db/board' });
  expect(lines).toMatch(
    /^Start it with: {2}DATABASE_URL=… npm start\n.*with the same address.*DATABASE_URL=…\n$/,
  );
  expect(lines).not.toContain('hunter2');
});
