import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../../../dev/test/free-ports.ts';
import { RECEIVER_PEM } from '../../../dev/test/receiver.ts';
import { type Found, withLibraries } from './programs.ts';

const SAMPLES = path.resolve(import.meta.dirname, '..');

export interface RunningProxy {
  url: string;
  port: number;
  stop: () => Promise<void>;
}

interface Ports {
  own: number;
  plain: number;
  server: number;
}

/** The sample with other ports and another certificate; each of the replaced must be there. */
function replaced(sample: string, by: readonly (readonly [string, string])[]): string {
  return by.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the sample has no ${from}`);
    return text.replaceAll(from, to);
  }, sample);
}

async function nginx(folder: string, { own, plain, server }: Ports): Promise<string[]> {
  const sample = replaced(await readFile(path.join(SAMPLES, 'nginx.conf'), 'utf8'), [
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl', `listen 127.0.0.1:${own} ssl`],
    ['server_name board.example', 'server_name localhost'],
    ['server 127.0.0.1:3000', `server 127.0.0.1:${server}`],
    ['/etc/letsencrypt/live/board.example/fullchain.pem', path.join(folder, 'certificate.pem')],
    ['/etc/letsencrypt/live/board.example/privkey.pem', path.join(folder, 'certificate.pem')],
  ]);
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // The frame around a site as in Debian's nginx.conf, including gzip.
  const whole = `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off; pid ${folder}/pid; error_log stderr warn;
    events {} http { access_log off; gzip on; ${kept.join(' ')}
    ${sample} }`;
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, whole);
  return ['-p', folder, '-c', file, '-e', 'stderr'];
}

async function caddy(folder: string, { own, server }: Ports): Promise<string[]> {
  const certificate = path.join(folder, 'certificate.pem');
  const sample = replaced(await readFile(path.join(SAMPLES, 'Caddyfile'), 'utf8'), [
    [
      '{$BOARD:board.example} {',
      `https://localhost:${own} {\n\ttls ${certificate} ${certificate}\n\tbind 127.0.0.1`,
    ],
    ['{$UPSTREAM:127.0.0.1:3000}', `127.0.0.1:${server}`],
  ]);
  const file = path.join(folder, 'Caddyfile');
  await writeFile(
    file,
    `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/storage\n}\n${sample}`,
  );
  return ['run', '--config', file, '--adapter', 'caddyfile'];
}

/** The real program with the sample, before a server at that port. @throws Error with its output if it does not serve */
export async function startProxy(
  name: 'nginx' | 'caddy',
  found: Extract<Found, { program: string }>,
  server: number,
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), `claimboard-${name}-`));
  const [own = 0, plain = 0] = await freePorts(2);
  await writeFile(path.join(folder, 'certificate.pem'), RECEIVER_PEM);
  const args = await { nginx, caddy }[name](folder, { own, plain, server });
  const env = {
    ...withLibraries(found.libraries),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  };
  const child = spawn(found.program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  await answers(own, child).catch(async (error: unknown) => {
    await stop();
    throw new Error(`${name} does not serve: ${output}`, { cause: error });
  });
  return { url: `https://localhost:${own}`, port: own, stop };
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('it ended');
    const socket = connect(port, '127.0.0.1');
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
