import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { capture } from '../../dev/setup/capture.mjs';
import { at } from '../../dev/setup/command.mjs';

vi.setConfig({ testTimeout: 120_000 });

const here = (name: string): string => path.join(import.meta.dirname, name);
const lines = readFileSync(here('Dockerfile'), 'utf8').split('\n');
const stages = lines
  .join('\n')
  .split(/^FROM /m)
  .slice(1);
const commandsIn = (stage: string | undefined, word: string): string[] =>
  (stage ?? '').split('\n').flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
/** The files that a stage copies from the repository, and their destination. */
const copied = (stage: string | undefined): { from: string[]; to: string }[] =>
  commandsIn(stage, 'COPY')
    .filter((line) => !line.startsWith('--from'))
    .map((line) => line.split(' '))
    .map((words) => ({ from: words.slice(0, -1), to: words.at(-1) ?? '' }));
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: at('.'), encoding: 'utf8' }).split('\n');

/** Left out of what is copied: the few kinds of pattern that the file has. */
const left = readFileSync(here('Dockerfile.dockerignore'), 'utf8').trim().split('\n');
function isLeftOut(file: string): boolean {
  let out = false;
  for (const pattern of left) {
    const shape = pattern
      .replace(/^!/, '')
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.*/)?')
      .replace(/(?<![)])\*/g, '[^/]*');
    if (new RegExp(`^${shape}(/|$)`).test(file)) out = !pattern.startsWith('!');
  }
  return out;
}

const manifest = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean(), optional: z.boolean(), devOptional: z.boolean() }).partial()),
});

/** The content of the last stage: its files, and the packages that `npm ci --omit=dev --omit=optional` installs. */
function anImage(): string {
  const app = mkdtempSync(path.join(tmpdir(), 'claimboard-image-'));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  for (const { from, to } of copied(stages[1]))
    for (const source of from)
      for (const file of tracked.filter(
        (each) => (each === source || each.startsWith(`${source}/`)) && !isLeftOut(each) && existsSync(at(each)),
      )) {
        const place = path.join(app, to === './' ? file : path.join(to, path.relative(source, file)));
        mkdirSync(path.dirname(place), { recursive: true });
        cpSync(at(file), place);
      }
  cpSync(at('client/dist'), path.join(app, 'client/dist'), { recursive: true });
  const { packages } = manifest.parse(JSON.parse(readFileSync(at('package-lock.json'), 'utf8')));
  const there = Object.entries(packages).filter(
    ([name, { dev, optional, devOptional }]) => name !== '' && !dev && !optional && !devOptional,
  );
  for (const [name] of there.filter(([each]) => !each.includes('/node_modules/'))) {
    mkdirSync(path.dirname(path.join(app, name)), { recursive: true });
    symlinkSync(at(name), path.join(app, name));
  }
  // As npm notes what it has put there.
  const noted = JSON.parse(readFileSync(at('node_modules/.package-lock.json'), 'utf8'));
  const names = new Set(there.map(([name]) => name));
  noted.packages = Object.fromEntries(Object.entries(noted.packages).filter(([name]) => names.has(name)));
  writeFileSync(path.join(app, 'node_modules/.package-lock.json'), JSON.stringify(noted));
  return app;
}

/** `CMD` and `HEALTHCHECK … CMD`, as they are in the file. */
function commandOf(word: string): string[] {
  const [line = ''] = commandsIn(stages[1], word);
  return z.array(z.string()).parse(JSON.parse(line.slice(line.indexOf('['))));
}

describe('the image', () => {
  it('copies existing files, does not run as root, owns its data, and declares its health check and stop signal', () => {
    for (const stage of stages)
      for (const { from } of copied(stage))
        for (const source of from)
          expect([source, tracked.some((file) => file === source || file.startsWith(`${source}/`))]).toEqual([source, true]);
    const last = (stages[1] ?? '').split('\n').filter(Boolean);
    expect(last.indexOf('USER node')).toBeGreaterThan(last.findIndex((line) => line.includes('chown node:node /data')));
    expect(last.findIndex((line) => line.startsWith('VOLUME /data'))).toBeGreaterThan(last.indexOf('USER node'));
    expect(last).toContain('STOPSIGNAL SIGTERM');
    expect(commandsIn(stages[1], 'ENV').join(' ')).toContain('DATA_DIR=/data');
    const scripts = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(at('package.json'), 'utf8'))).scripts;
    for (const run of stages.flatMap((stage) => commandsIn(stage, 'RUN')))
      for (const [, script = ''] of run.matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(script);
  });

  it('serves with its files and packages alone, is found well, makes backups, and ends at a SIGTERM', async () => {
    const app = anImage();
    expect(existsSync(path.join(app, 'node_modules/vite'))).toBe(false);
    expect(readdirSync(path.join(app, 'client'))).toEqual(['dist']);
    const { PATH } = process.env;
    const DATA_DIR = path.join(app, 'volume');
    const { spawn } = await import('node:child_process');
    const [file = '', ...args] = commandOf('CMD');
    expect(file).toBe('node');
    const env = { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', DATA_DIR, BACKUP_HOURS: '0', LOG_LEVEL: 'error' };
    const child = spawn(process.execPath, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await vi.waitFor(() => expect(printed).toContain('is ready at'), { timeout: 60_000 });
    const [, PORT = ''] = /ready at \S+:(\d+)/.exec(printed) ?? [];
    const [, ...check] = commandOf('HEALTHCHECK');
    const health = (port: string) => capture(process.execPath, check, { cwd: app, env: { PATH, PORT: port } });
    expect((await health(PORT)).ok).toBe(true);
    expect((await fetch(`http://127.0.0.1:${PORT}/`)).headers.get('content-type')).toBe('text/html; charset=utf-8');
    // `npm run backup` must install nothing and build nothing there.
    const backup = await capture(process.execPath, ['server/dev/setup/run.mjs', 'server/cli/backup.ts', 'backup'], {
      cwd: app,
      env: { ...env, HOME: app },
    });
    expect(backup.output).not.toMatch(/Installing|Building/);
    expect([backup.ok, readdirSync(path.join(DATA_DIR, 'backups')).length]).toEqual([true, 1]);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect((await health(PORT)).ok).toBe(false);
  });
});

const systemd = await capture('systemd-analyze', ['--version']);
const compose = await capture('docker', ['compose', 'version']);

describe('the unit for systemd', () => {
  const unit = readFileSync(here('claimboard.service'), 'utf8');

  it('names existing files, its own user, and more time than the server takes to stop', () => {
    const [, program = ''] = /^ExecStart=\S+ \/opt\/claimboard\/(\S+)$/m.exec(unit) ?? [];
    expect(existsSync(at(program))).toBe(true);
    expect(unit).toMatch(/^User=claimboard$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
    expect(unit).toMatch(/HOST=127\.0\.0\.1.*TRUST_PROXY=1/);
    const hardened = [
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'PrivateDevices=yes',
    ];
    expect(unit.split('\n')).toEqual(expect.arrayContaining(hardened));
    // Node compiles as it runs.
    expect(unit).not.toContain('MemoryDenyWriteExecute');
  });

  it.skipIf(!systemd.ok)(
    systemd.ok
      ? 'is a unit that systemd understands, and one that it finds hardened'
      : 'is not shown to systemd: there is no systemd-analyze on this machine',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'claimboard-unit-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = path.join(folder, 'claimboard.service');
      writeFileSync(file, unit.replaceAll('/opt/claimboard/node_modules/.bin/node', process.execPath));
      const verified = await capture('systemd-analyze', ['verify', '--man=no', file]);
      expect([verified.ok, verified.output.split('\n').filter((line) => line.includes('claimboard.service'))]).toEqual([true, []]);
      // Of 10, where 10 is a service without any of it.
      const exposure = await capture('systemd-analyze', ['security', '--offline=true', '--threshold=25', file]);
      expect(exposure.output).toMatch(/Overall exposure level/);
      expect(exposure.ok).toBe(true);
    },
  );
});

describe('the compose file', () => {
  it.skipIf(!compose.ok)(
    compose.ok ? 'is one that docker compose reads' : 'is not shown to docker: there is no docker compose on this machine',
    async () => {
      const read = await capture('docker', ['compose', '-f', here('compose.yaml'), 'config', '--quiet'], {
        env: { ...process.env, BOARD: 'b.example' },
      });
      expect(read.output).toBe('');
    },
  );

  it('mounts and builds existing paths, gives the server time to stop, and the proxy its names', () => {
    const text = readFileSync(here('compose.yaml'), 'utf8');
    expect(existsSync(path.resolve(import.meta.dirname, '../../..', /dockerfile: (\S+)/.exec(text)?.[1] ?? '-'))).toBe(true);
    expect(existsSync(here(/- \.\/(\w+):\/etc/.exec(text)?.[1] ?? '-'))).toBe(true);
    expect(Number(/stop_grace_period: (\d+)s/.exec(text)?.[1])).toBeGreaterThan(30);
    const caddy = readFileSync(here('Caddyfile'), 'utf8');
    for (const [, name = ''] of caddy.matchAll(/\{\$(\w+):/g)) expect(text).toContain(`      ${name}:`);
  });
});
