import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { at } from '../../../dev/setup/command.mjs';

const DOCKERFILE = path.resolve(import.meta.dirname, '../Dockerfile');

/** One line of the Dockerfile: `COPY`, and the words after it. */
interface Instruction {
  word: string;
  rest: string;
}

interface Stage {
  name: string;
  from: string;
  instructions: Instruction[];
}

/** An assembled file system, and how the image's configuration says to run it. */
export interface Image {
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: string;
  volume: string;
  stopSignal: string;
  command: string[];
  healthCheck: string[];
}

function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of readFileSync(DOCKERFILE, 'utf8').split('\n')) {
    const [word = '', ...words] = line.split(' ');
    if (word === '' || word.startsWith('#')) continue;
    if (word === 'FROM')
      stages.push({ from: words[0] ?? '', name: words[2] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest: words.join(' ') });
  }
  return stages;
}

export const stages = readStages();

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: at('.'),
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(at(file)));
const ignored = readFileSync(`${DOCKERFILE}.dockerignore`, 'utf8').trim().split('\n');

/** The last pattern that matches the file, or a folder above it, decides. */
function isIgnored(file: string): boolean {
  const parts = file.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const matching = ignored.filter((pattern) =>
    paths.some((each) => path.matchesGlob(each, pattern.replace(/^!/, ''))),
  );
  return matching.at(-1)?.startsWith('!') === false;
}

/** The repository's files that `COPY source …` copies. */
export const filesOf = (source: string): string[] =>
  tracked.filter((file) => (file === source || file.startsWith(`${source}/`)) && !isIgnored(file));

/** Copies a folder's content with owners and modes. Hard links suffice, as nothing changes the files. */
export function copyAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-a', '--link', `${from}/.`, to]);
}

/** The folder of each stage's files, by the stage's name. */
type Roots = Map<string, string>;

/** @param rest the words after `COPY` */
function copy(
  rest: string,
  { root, workdir, roots }: { root: string; workdir: string; roots: Roots },
): void {
  const words = rest.split(' ');
  const [, from] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? [];
  if (from) {
    const [, source = '', to = ''] = words;
    copyAll(path.join(roots.get(from) ?? '-', source), path.join(root, path.resolve(workdir, to)));
    return;
  }
  const to = words.at(-1) ?? '';
  for (const source of words.slice(0, -1)) {
    const isFolder = statSync(at(source)).isDirectory();
    for (const file of filesOf(source)) {
      const place = isFolder
        ? path.join(to, path.relative(source, file))
        : path.join(to, path.basename(file));
      const target = path.join(root, path.resolve(workdir, place));
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(at(file), target);
    }
  }
}

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean(), optional: z.boolean(), devOptional: z.boolean() }).partial(),
  ),
});

/** Copies the packages that `npm ci --omit=dev --omit=optional` would install. */
function installDependencies(folder: string): void {
  const { packages } = lock.parse(JSON.parse(readFileSync(at('package-lock.json'), 'utf8')));
  for (const [name, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (name === '' || dev || optional || devOptional) continue;
    const nested = path.join(at(name), 'node_modules');
    cpSync(at(name), path.join(folder, name), {
      recursive: true,
      filter: (source) => source !== nested,
    });
  }
}

/** Runs a `RUN` line without a network. @throws Error for an unknown command */
function run(command: string, folder: string): void {
  const words = command.split(' ');
  const isOf = (...names: string[]): boolean => names.every((name) => words.includes(name));
  if (isOf('npm', 'ci', '--omit=dev', '--omit=optional')) installDependencies(folder);
  else if (isOf('npm', 'run', 'build'))
    cpSync(at('client/dist'), path.join(folder, 'client/dist'), { recursive: true });
  else if (words[0] === 'node') execFileSync(process.execPath, words.slice(1), { cwd: folder });
  // The build needs its packages, and ours is built already.
  else if (!isOf('npm', 'ci', '--omit=dev', '--include=optional'))
    throw new Error(`RUN ${command}: teach ${import.meta.filename} what it does`);
}

const commandIn = (rest: string): string[] =>
  z.array(z.string()).parse(JSON.parse(rest.slice(rest.indexOf('['))));

/** Assembles the file system of the last stage, as `docker build` would, from the files of this machine. */
export function assembleImage(folder: string): Image {
  const roots: Roots = new Map();
  let image: Image | undefined;
  for (const { name, instructions } of stages) {
    const root = path.join(folder, name || 'image');
    roots.set(name, root);
    image = {
      root,
      env: {},
      workdir: '/',
      user: '',
      volume: '',
      stopSignal: '',
      command: [],
      healthCheck: [],
    };
    for (const instruction of instructions) apply(instruction, image, roots);
  }
  if (!image) throw new Error('the Dockerfile has no stage');
  return image;
}

function apply({ word, rest }: Instruction, image: Image, roots: Roots): void {
  const { root, workdir } = image;
  if (word === 'COPY') copy(rest, { root, workdir, roots });
  else if (word === 'RUN') run(rest, path.join(root, workdir));
  else if (word === 'WORKDIR') {
    image.workdir = rest;
    mkdirSync(path.join(root, rest), { recursive: true });
  } else if (word === 'ENV') {
    for (const setting of rest.split(' ')) {
      const [key = '', value = ''] = setting.split('=');
      image.env[key] = value;
    }
  } else if (word === 'USER') image.user = rest;
  else if (word === 'VOLUME') image.volume = rest;
  else if (word === 'STOPSIGNAL') image.stopSignal = rest;
  else if (word === 'CMD') image.command = commandIn(rest);
  else if (word === 'HEALTHCHECK') image.healthCheck = commandIn(rest);
  else if (word !== 'EXPOSE')
    throw new Error(`${word}: teach ${import.meta.filename} what it does`);
}
