/** Brings node_modules in line with package-lock.json, and says which Node to run things on. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { capture } from './capture.mjs';
import { hasSources } from './client-build.mjs';
import { at, SetupError, say, seconds } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { alone } from './lock.mjs';
import { chooseNode, lockedNode } from './runtime.mjs';

/**
 * @typedef {{version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, os?: string[], cpu?: string[], libc?: string[]}} LockedPackage
 * @typedef {{fingerprint: string, node: string, dev: boolean}} Stamp
 */

const stampFile = at('node_modules/.claimboard-installed');

/** Installs, when needed, the packages of the server and of the client's build. @returns {Promise<string>} the Node to run them on */
export const install = () => installed(false);

/** Installs, when needed, the packages of the tests and checks, too. @returns {Promise<string>} the Node to run them on */
export const installForDevelopment = () => installed(true);

/** @param {boolean} dev whether devDependencies are needed */
async function installed(dev) {
  const wanted = fingerprint(
    ['package.json', 'package-lock.json'],
    [process.platform, process.arch],
  );
  const stamp = readStamp();
  // A clone that had them keeps them.
  const withDev = dev || stamp?.dev === true;
  /** @param {Stamp | undefined} stamp */
  const isCurrent = (stamp) => stamp?.fingerprint === wanted && (stamp.dev || !withDev);
  if (stamp?.node && isCurrent(stamp)) return at(stamp.node);
  return alone(async () => {
    if (!isCurrent(readStamp()) && !isInstalled(withDev)) await npmInstall(withDev);
    // Asked again on every start where it did not work: what it lacked may be there now.
    const node = await lockedNode();
    writeStamp({ fingerprint: wanted, node, dev: withDev });
    return chooseNode(node);
  });
}

/**
 * `npm ci` or `npm install` ran: npm's own record of what it put into node_modules,
 * written last, agrees with the lock.
 * @param {boolean} dev
 */
function isInstalled(dev) {
  const locked = packagesIn('package-lock.json') ?? {};
  const installed = packagesIn('node_modules/.package-lock.json');
  return (
    installed !== undefined &&
    Object.entries(locked).every(([path, wanted]) => {
      const there = installed[path];
      if (path === '' || (!there && mayBeAbsent(wanted, dev))) return true;
      return there?.version === wanted.version && there?.integrity === wanted.integrity;
    })
  );
}

/**
 * npm leaves out packages for other machines, with their own dependencies. Which C library this machine has, only npm knows.
 * @param {LockedPackage} wanted @param {boolean} dev
 */
function mayBeAbsent({ optional, dev: isForDevelopment, devOptional, os, cpu, libc }, dev) {
  // Build and test tools are not needed where there is nothing to build: nor is the packaged Node, if there is one.
  if (!hasSources() && (isForDevelopment || devOptional || optional)) return true;
  if (isForDevelopment && !dev) return true;
  const madeForThisMachine =
    (os ?? cpu) && !libc && admits(os, process.platform) && admits(cpu, process.arch);
  return optional && !madeForThisMachine;
}

/** @param {string[] | undefined} list @param {string} value */
const admits = (list, value) =>
  !list || list.includes(value) || (list[0]?.startsWith('!') && !list.includes(`!${value}`));

/** @param {string} file @returns {Record<string, LockedPackage> | undefined} */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(at(file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** @param {boolean} dev */
async function npmInstall(dev) {
  // `npm ci` empties node_modules first, from which a server may be running.
  const adds = dev && isInstalled(false);
  const why = existsSync(at('node_modules')) ? 'they differ from package-lock.json' : 'first start';
  say(
    adds
      ? 'Installing the packages of the tests and checks…'
      : `Installing packages (${why}, about half a minute)…`,
  );
  const since = performance.now();
  const args = [
    ...(adds ? ['install', '--no-save'] : ['ci']),
    dev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
  const { ok, output } = await npm(args);
  if (!ok) throw new SetupError(`The packages could not be installed: ${reason(output)}`);
  say(`Packages installed in ${seconds(since)}.`);
}

/** The npm that started us, on the Node it runs on; else the one on the PATH. @param {string[]} args */
function npm(args) {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env;
  if (cli && /^npm(-cli)?\.c?js$/.test(basename(cli))) return capture(node, [cli, ...args]);
  return capture('npm', args, { shell: process.platform === 'win32' });
}

/** One line of npm's many. @param {string} output */
function reason(output) {
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(output)) {
    return 'the package registry cannot be reached; is there a network, or a proxy to set?';
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output))
    return `this user may not write to ${at('node_modules')} or to npm's cache.`;
  if (/\bENOSPC\b/.test(output)) return 'the disk is full.';
  if (/\bEUSAGE\b/.test(output))
    return 'package.json and package-lock.json disagree; run `npm install` once and keep its lock.';
  const line =
    output.split('\n').find((text) => /^npm error (?!code|errno|syscall)/.test(text)) ??
    output.split('\n')[0];
  return line?.replace(/^npm error /, '') || 'npm ended without saying why.';
}

/** @returns {Stamp | undefined} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {Stamp} stamp */
function writeStamp(stamp) {
  try {
    writeFileSync(stampFile, JSON.stringify(stamp));
  } catch {
    // Installed by another user: comparing the locks again next time is quick enough.
  }
}
