import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from './child-environment.ts';

it("a child process gets the server's database settings, and none of its secrets", () => {
  const reaching = {
    PGPASSWORD: 'p',
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: '/ca.pem',
    PGPASSFILE: '/pgpass',
    HOME: '/home/board',
  };
  const running = {
    PATH: '/bin',
    NODE_COMPILE_CACHE: '/cache',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    SystemRoot: 'C:\\Windows',
    TZ: 'UTC',
  };
  const own = {
    ADMIN_PASSWORD: 'a',
    METRICS_TOKEN: 'm',
    DATABASE_URL: 'postgres://u:p@h/d',
    PAGER: 'less',
    NODE_OPTIONS: '--inspect',
  };
  expect(childEnvironment({ ...reaching, ...running, ...own })).toEqual({
    ...reaching,
    ...running,
  });
});

it('a child process ends with its killed parent, though its thread is busy', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-child-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const parent = path.join(folder, 'parent.mjs');
  const child = path.join(folder, 'child.mjs');
  const module = new URL('child-environment.ts', import.meta.url).href;
  await writeFile(
    child,
    `import { endWithParent } from ${JSON.stringify(module)};
    endWithParent();
    await new Promise((resolve) => process.send(process.pid, resolve));
    for (;;);`,
  );
  await writeFile(
    parent,
    `import { fork } from 'node:child_process';
    fork(${JSON.stringify(child)}).on('message', (pid) => process.send(pid));`,
  );
  const started = fork(parent, { execArgv: [] });
  const [pid] = await once(started, 'message');
  const isRunning = (): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  onTestFinished(() => {
    if (isRunning()) process.kill(Number(pid), 'SIGKILL');
  });
  expect(isRunning()).toBe(true);
  started.kill('SIGKILL');
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
});
