// Checks the settings against this machine: folders and ports.
import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { SettingIssue } from '../settings.ts';

/** The code of an error, or its message without one. */
export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

function findFolderError(setting: string, folder: string): SettingIssue[] {
  try {
    if (!statSync(folder).isDirectory())
      return [{ setting, text: `must be a folder: ${folder} is a file. Move it away, or choose another folder` }];
    accessSync(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    return [
      {
        setting,
        text: `must be a folder that the portal may write to: ${folder} (${codeOf(error)}). Create it or give it to the account that runs the portal (chown), or choose another folder`,
      },
    ];
  }
}

function findProgramError(setting: string, path: string): SettingIssue[] {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return [];
    return [{ setting, text: `must be a program: ${path} is not a file` }];
  } catch (error) {
    return [{ setting, text: `must be a program that the portal may run: ${path} (${codeOf(error)})` }];
  }
}

/** A path, or the nearest folder above it that exists. */
function existingParent(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found || dirname(path) === path ? path : existingParent(dirname(path));
}

/** Folders that cannot be written to, and programs that cannot be run. `DATA_DIR` may be missing: it is created. */
export const findFolderErrors = ({ dataDir, databaseUrl, backupDir, backupHook }: Config): SettingIssue[] => [
  // The database may belong to another account than the folder, for example after a start with sudo.
  ...findFolderError('DATA_DIR', existingParent(databaseUrl ? dataDir : join(dataDir, 'postgres'))),
  ...(backupDir ? findFolderError('BACKUP_DIR', backupDir) : []),
  ...(backupHook ? findProgramError('BACKUP_HOOK', backupHook) : []),
];

/** Why an address cannot be listened on, and what to do. */
export function listenIssue(error: Error, setting: 'PORT' | 'METRICS_PORT', host: string, port: number): SettingIssue {
  const code = codeOf(error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      setting: setting === 'PORT' ? 'HOST' : 'METRICS_HOST',
      text: `${host} is not an address of this machine (${code}). Use 127.0.0.1, or 0.0.0.0 for all its addresses`,
    };
  const reason =
    code === 'EADDRINUSE'
      ? 'is in use by another program. Stop that program, or choose another port'
      : code === 'EACCES'
        ? 'may not be used by this account (EACCES). Choose a port above 1023'
        : `cannot be listened on (${code}). Choose another port`;
  const freePort = code === 'EACCES' || port === 65_535 ? 8080 : port + 1;
  return { setting, text: `${port} ${reason}: ${setting}=${freePort} npm start` };
}

/** Listens on an address and stops again. Throws the error of the system. */
const tryToListen = (port: number, host: string): Promise<void> =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen({ port, host, exclusive: true }, () => server.close(() => done()));
  });

/** A portal that is stopping closes its port a little later. */
const PORT_WAIT_MS = 2000;
const PORT_POLL_MS = 100;

async function findPortError(setting: 'PORT' | 'METRICS_PORT', host: string, port: number): Promise<SettingIssue[]> {
  const giveUpAt = performance.now() + PORT_WAIT_MS;
  for (;;)
    try {
      await tryToListen(port, host);
      return [];
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || performance.now() >= giveUpAt)
        return [listenIssue(error as Error, setting, host, port)];
      await wait(PORT_POLL_MS);
    }
}

/** Ports that cannot be listened on, found before the database is opened. */
export async function findPortErrors({ host, port, metricsHost, metricsPort }: Config): Promise<SettingIssue[]> {
  return [
    ...(await findPortError('PORT', host, port)),
    ...(metricsPort === undefined ? [] : await findPortError('METRICS_PORT', metricsHost, metricsPort)),
  ];
}

const PROBE_TIMEOUT_MS = 2000;

/** Whether a portal answers on this port, such as the one whose settings are checked while it runs. */
const answersAsPortal = ({ host, port }: Config): Promise<boolean> =>
  fetch(`http://${formatProbeHost(host)}:${port}/v1/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    ({ headers }) => headers.has('x-request-id'),
    () => false,
  );

/** The address at which a program on this machine reaches a host that is listened on. */
function formatProbeHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The same for settings that are checked without a start: the portal may be running with them. */
export const findPortErrorsBesidePortal = async (config: Config): Promise<SettingIssue[]> =>
  (await answersAsPortal(config)) ? [] : findPortErrors(config);
