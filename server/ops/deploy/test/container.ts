import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capture } from '../../../dev/setup/capture.mjs';
import type { Image } from './assemble-image.ts';

/** How this machine lets us run a process in a file system of its own, as another user. */
export interface Isolation {
  /** Namespaces in which we may mount. */
  mounting: string[];
  /** Changes to the image's user, from there. */
  asUser: (user: number, group: number) => string[];
}

/** As root, a user of its own; else, or where root has no other users, a user namespace whose user is ours outside. */
const WAYS: readonly Isolation[] = [
  { mounting: [], asUser: (user, group) => [`--setuid=${user}`, `--setgid=${group}`] },
  {
    mounting: ['--user', '--map-root-user'],
    asUser: (user, group) => ['--user', `--map-user=${user}`, `--map-group=${group}`],
  },
];

/** By its path: within the environment of the image it would not be found. */
const UNSHARE = '/usr/bin/unshare';
const NAMESPACES = ['--mount', '--pid', '--fork'];

/** The first way that works here, or null. */
export async function findIsolation(): Promise<Isolation | null> {
  for (const way of WAYS) {
    const inner = [UNSHARE, ...way.asUser(1000, 1000), '--root=/', 'true'].join(' ');
    const script = `mount --bind /tmp /tmp && mount -o remount,bind,ro,nosuid,nodev /tmp && mount -t proc proc /proc && ${inner}`;
    if ((await capture(UNSHARE, [...way.mounting, ...NAMESPACES, 'sh', '-c', script])).ok)
      return way;
  }
  return null;
}

/** Mounts as a container runtime does: the image read-only, its volume, /proc and the usual devices. */
const MOUNT = `set -e
root=$1 volume=$2 at=$3
shift 3
mount --bind "$root" "$root"
mount --bind "$volume" "$root$at"
mount -t proc proc "$root/proc"
for device in null urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro,nosuid,nodev "$root"
exec env -i "$@"`;

/** Creates the mount points. */
export function prepareMounts({ root, volume }: Image): void {
  for (const folder of ['proc', 'dev', volume])
    mkdirSync(path.join(root, folder), { recursive: true });
  for (const device of ['null', 'urandom']) writeFileSync(path.join(root, 'dev', device), '');
}

interface Place {
  image: Image;
  isolation: Isolation;
  /** The folder on this machine that the volume is. */
  volume: string;
  /** Settings beside the image's. */
  env: Record<string, string>;
}

export interface Container {
  printed: () => string;
  /** Resolves with the exit code, or with the name of the signal. */
  ended: Promise<number | string>;
  /** Sends a signal to the program, which is the first process of its namespace. */
  signal: (name: NodeJS.Signals) => void;
  /** Ends it in any case. */
  destroy: () => void;
}

/** Runs a program as the image's user on its read-only file system. The network is this machine's. */
export function runIn(
  { image, isolation, volume, env }: Place,
  [file = '', ...args]: readonly string[],
): Container {
  const [user = '', group = ''] = image.user.split(':');
  const settings = Object.entries({ ...image.env, ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const enter = [
    UNSHARE,
    ...isolation.asUser(Number(user), Number(group)),
    `--root=${image.root}`,
    `--wd=${image.workdir}`,
  ];
  const inside = [...settings, ...enter, path.join(image.env.PATH ?? '', file), ...args];
  const script = ['sh', '-c', MOUNT, 'sh', image.root, volume, image.volume];
  const child = spawn(UNSHARE, [...isolation.mounting, ...NAMESPACES, ...script, ...inside], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown',
  );
  // Changing the user disables --kill-child: signal the program itself, if it has started.
  const signal = (name: NodeJS.Signals): void => {
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    if (!existsSync(children)) return;
    const [first] = readFileSync(children, 'utf8').trim().split(' ');
    if (first) process.kill(Number(first), name);
    else child.kill(name);
  };
  const destroy = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    signal('SIGKILL');
  };
  return { printed: () => printed, ended, signal, destroy };
}
