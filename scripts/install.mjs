// Installs the packages of package-lock.json. Runs on Node 20 before anything is installed, so it imports no packages.
// Not by name: an older Node lacks some of these, and has to be able to run as far as the sentence about it.
import * as fs from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findRemedy, runOrExplain } from './remedies.mjs';
import { identifyProcess, runAlone } from './run-alone.mjs';
import { inCache, inModules, log, nodeBin, readJson, root, run, seconds, SetupError } from './setup.mjs';

/** The disk space that each set of packages needs, with room for what is downloaded. */
const SPACE_MB = { product: 700, all: 1200 };

export const NPM_OPTIONS = [
  '--include=dev',
  // No package needs its script: sharp and argon2 contain binaries, and Node is unpacked here.
  '--ignore-scripts',
  '--prefer-offline',
  // Without these npm retries for more than a minute before it reports that there is no network.
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  // Warnings concern the Node that runs npm, not the pinned one that runs the packages. Errors are shown.
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--yes',
];

/** The environment without the project's node_modules in PATH, so that npm does not run on a Node that it replaces. */
const outsideEnv = () => ({
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(inModules()))
    .join(delimiter),
});

const readLockedPackages = () => readJson(join(root, 'package-lock.json')).packages;

/** npm's record of node_modules. npm writes it when everything is unpacked. */
const readInstalledPackages = () => readJson(inModules('.package-lock.json'))?.packages ?? {};

/** The path at which Node finds a package that the package at `from` imports. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}/node_modules/${name}`.replace(/^\//, '');
    if (packages[path] || folder === '') return path;
  }
}

/** The paths of the packages that the portal and its build need; for `all` also those that tools/package.json lists. */
function listNeededPackages(packages, set) {
  const needed = new Set();
  const add = (from, names) => {
    for (const name of names) {
      const path = resolvePackage(packages, from, name);
      if (needed.has(path) || !packages[path]) continue;
      needed.add(path);
      const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path];
      const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
      add(path, [...Object.keys(dependencies ?? {}), ...peers]);
    }
  };
  for (const path of set === 'all' ? ['', 'tools'] : [''])
    add('', Object.keys({ ...packages[path].dependencies, ...packages[path].devDependencies }));
  return [...needed];
}

/** Whether node_modules has every version in the lock file that the set needs. */
function isInstalled(set) {
  const packages = readLockedPackages();
  const present = readInstalledPackages();
  // Optional packages are for other platforms.
  return listNeededPackages(packages, set).every(
    (path) => packages[path].optional || (present[path] && present[path].version === packages[path].version),
  );
}

function assertDiskSpace(set) {
  const { bavail, bsize } = fs.statfsSync(root);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < SPACE_MB[set])
    throw new SetupError(
      `The packages need ${SPACE_MB[set]} MB, and the disk of ${root} has ${free} MB free. Free some space and start again.`,
    );
}

/** The package with the pinned Node for this platform, and its version. */
function findNodePackage() {
  const { version } = readLockedPackages()['node_modules/node'];
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return { name: `${prefix}-${system}-${process.arch}`, version };
}

/** Downloads the package with the pinned Node, and returns its archive. */
async function downloadNode(env, onStart) {
  const { name, version } = findNodePackage();
  const args = ['pack', `${name}@${version}`, '--pack-destination', inCache(), ...NPM_OPTIONS];
  let output = '';
  const start = (child) => {
    onStart(child);
    child.stderr.on('data', (text) => (output += text));
  };
  if ((await run('npm', args, { env, onStart: start, stdio: ['ignore', 'ignore', 'pipe'] })) !== 0)
    throw new SetupError(`Node ${version} could not be downloaded.\n${findRemedy(output) ?? output}`);
  return inCache(`${name}-${version}.tgz`);
}

/** Returns a file of a tar archive. */
export function readFromTar(archive, name) {
  const text = (start, length) => archive.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  for (let at = 0; archive[at];) {
    const size = parseInt(text(at + 124, 12), 8);
    if (text(at, 100) === name) return archive.subarray(at + 512, at + 512 + size);
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return undefined;
}

/** Unpacks only the program, because the package also has 2,800 header files. */
async function unpackNode(path) {
  const archive = await promisify(gunzip)(await readFile(path));
  const program = readFromTar(archive, `package/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`);
  await rm(path);
  if (!program) return;
  fs.mkdirSync(inModules('node', 'bin'), { recursive: true });
  fs.writeFileSync(`${nodeBin}.part`, program, { mode: 0o755 });
  fs.renameSync(`${nodeBin}.part`, nodeBin);
  // npm links no command whose file is missing. `npx` runs on this Node, and npm leaves a package with its commands alone.
  const link = inModules('.bin', 'node');
  if (process.platform !== 'win32' && !fs.existsSync(link)) fs.symlinkSync(join('..', 'node', 'bin', 'node'), link);
}

/** Deletes 60 MB of source maps, which nothing reads. */
async function deleteSourceMaps() {
  const names = await readdir(inModules(), { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.map')).map((name) => rm(inModules(name), { force: true })));
}

/** Deletes the packages that npm has not recorded: an interrupted npm may have unpacked them in part. */
function deleteUnrecordedPackages() {
  const present = readInstalledPackages();
  for (const path of Object.keys(readLockedPackages()))
    if (path.startsWith('node_modules/') && !present[path])
      fs.rmSync(join(root, path), { recursive: true, force: true });
}

/**
 * Runs npm, and downloads the pinned Node at the same time if it is missing. Without network that fails first, because
 * npm tries every package again before it gives up.
 */
async function runNpm(doing, args, isNodeNeeded, record) {
  const env = outsideEnv();
  const children = [];
  const onStart = ({ pid }) => {
    if (!pid) return;
    children.push(identifyProcess(pid));
    record(doing, children);
  };
  let npm;
  let failure;
  const download = isNodeNeeded
    ? downloadNode(env, onStart).catch((error) => {
        failure = error;
        // npm ends only after its last try on SIGTERM. What it leaves has no record, so the next start installs again.
        npm?.kill('SIGKILL');
      })
    : undefined;
  const onNpmStart = (child) => onStart((npm = child));
  try {
    if (args) await runOrExplain(`npm ${args[0]}`, 'npm', [...args, ...NPM_OPTIONS], { env, onStart: onNpmStart });
  } catch (error) {
    await download;
    throw failure ?? error;
  }
  const archive = await download;
  if (failure) throw failure;
  return archive;
}

async function install(set, interrupted, record) {
  if (interrupted === 'adding') deleteUnrecordedPackages();
  // Packages of a set that is complete stay, because a portal may be running from them.
  const isComplete = isInstalled(set);
  const isAdding = !isComplete && isInstalled('product') && fs.existsSync(nodeBin);
  // Never the smaller set in place of the larger one.
  const isAll = set === 'all' || fs.existsSync(inModules('school-portal-tools'));
  if (!isComplete) {
    assertDiskSpace(isAll ? 'all' : 'product');
    log(
      isAdding
        ? 'Installing the packages of checks and tests (once) …'
        : 'Installing packages (once, and after package-lock.json changed) …',
    );
  }
  // The cache of packages of other versions.
  if (!isComplete && !isAdding) fs.rmSync(inCache('node'), { recursive: true, force: true });
  const fresh = ['ci', ...(isAll ? [] : ['--workspaces=false'])];
  const args = isComplete ? undefined : isAdding ? ['install', '--no-save'] : fresh;
  const isNodeNeeded = !isAdding && !(isComplete && fs.existsSync(nodeBin));
  const archive = await runNpm(isAdding ? 'adding' : 'installing', args, isNodeNeeded, record);
  await Promise.all([archive && unpackNode(archive), !isAll && deleteSourceMaps()]);
  if (!fs.existsSync(nodeBin))
    throw new SetupError('The package of the pinned Node contains no program. Run npm rebuild node and start again.');
  record(undefined);
}

/**
 * Installs the packages of package-lock.json, unless they are installed.
 * @param set `product`: those that run and build the portal; `all`: also those of checks and tests
 */
export async function installPackages(set) {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new SetupError(
      `Node 20 or later is needed; this is ${process.version}. Install it from https://nodejs.org or with your version manager.`,
    );
  if (isInstalled(set) && fs.existsSync(nodeBin)) return;
  if (fs.existsSync(inModules()) && fs.lstatSync(inModules()).isSymbolicLink())
    throw new SetupError('node_modules is a link and lacks packages of package-lock.json: install them in its target.');
  const start = performance.now();
  try {
    await runAlone((interrupted, record) => install(set, interrupted, record));
  } catch (error) {
    throw error.code === 'ENOENT' && error.syscall === 'spawn npm'
      ? new SetupError('npm is not on PATH. It is part of Node: install Node 20 or later from https://nodejs.org.')
      : error;
  }
  log(`Packages are installed (${seconds(start)}).`);
}
