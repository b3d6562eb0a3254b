import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, Program, ROOT } from '../harness/program.ts';

/** The name that replaces portal.example: production does not accept an example. */
export const HOST = 'portal.readwell.co.uk';

export interface Proxy {
  name: 'nginx' | 'Caddy';
  url: string;
}

/** Replaces texts of a shipped file. Throws when one of them is missing, because the file has changed then. */
function readSample(path: string, replacements: readonly [from: string, to: string][]): string {
  return replacements.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} does not contain "${from}".`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(ROOT, path), 'utf8'),
  );
}

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${HOST}`, ...files],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl failed:\n${stderr}`);
}

/** Starts nginx with deploy/nginx.conf, included as Debian's own configuration does. */
export async function startNginx(program: string, folder: string, ports: readonly number[]): Promise<Proxy> {
  const [plainPort, port] = [await freePort(), await freePort()];
  makeCertificate(folder);
  const logs = join(folder, 'logs');
  const site = readSample('deploy/nginx.conf', [
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/letsencrypt/live/portal.example', folder],
    ['portal.example', HOST],
    ['/var/log/nginx', logs],
    ['127.0.0.1:8080', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:8081', `127.0.0.1:${ports[1]}`],
  ]);
  const temporary = join(folder, 'nginx');
  mkdirSync(temporary);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${temporary}/${name};`,
  );
  const main = [
    `daemon off;\npid ${temporary}/pid;\nworker_processes 2;\nerror_log ${logs}/nginx-error.log;`,
    `events {}\nhttp {\naccess_log ${logs}/nginx-access.log;\n${paths.join('\n')}\n${site}}`,
  ];
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, main.join('\n'));
  const words = ['-e', join(logs, 'nginx-error.log'), '-c', configuration];
  const started = new Program('nginx', program, words, { log: join(logs, 'nginx-output.log') });
  // It sends the visitor to the other port, which is not the usual one here.
  await started.waitUntilListening(plainPort);
  return { name: 'nginx', url: `https://127.0.0.1:${port}` };
}

/** Starts Caddy with deploy/Caddyfile. */
export async function startCaddy(program: string, folder: string, ports: readonly number[]): Promise<Proxy> {
  const port = await freePort();
  const configuration = join(folder, 'Caddyfile');
  // Its administration has a fixed port.
  writeFileSync(configuration, readSample('deploy/Caddyfile', [['\n{\n', '\n{\n\tadmin off\n']]));
  const env = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    PORTAL_HOST: `http://${HOST}:${port}`,
    PORTAL_UPSTREAMS: ports.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
  };
  const words = ['run', '--config', configuration, '--adapter', 'caddyfile'];
  const started = new Program('Caddy', program, words, { env, log: join(folder, 'logs', 'caddy.log') });
  await started.waitUntilListening(port);
  return { name: 'Caddy', url: `http://127.0.0.1:${port}` };
}
