// Lints the files of deploy/ with dockerfilelint and the tools that are on PATH, and reports which of them ran.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root, tool } from './setup.mjs';

const deploy = (name) => join(root, 'deploy', name);
const text = (name) => readFileSync(deploy(name), 'utf8');

const isOnPath = (name) => process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, name)));

const REQUIRED = {
  PORTAL_HOST: 'portal.example',
  POSTGRES_PASSWORD: 'x',
  PORTAL_PASSWORD: 'x',
  SECRETS_KEY: 'x',
  SMTP_URL: 'smtp://x',
  CONTACT_EMAIL: 'x@x',
};

/** Runs a command in `folder`; returns what it reports, or nothing when it succeeds. */
function lint(folder, command, ...args) {
  const env = { ...process.env, ...REQUIRED, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
  return status === 0 ? [] : [`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`.trim()}`];
}

function writeCopy(folder, name, content) {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** Each linter by the commands that it needs on PATH; a package needs none and has a name. */
const linters = [
  [[], (folder) => lint(folder, ...tool('dockerfilelint'), deploy('Dockerfile')), 'dockerfilelint'],
  [['docker-compose'], (folder) => lint(folder, 'docker-compose', '-f', deploy('compose.yaml'), 'config', '--quiet')],
  [['promtool'], (folder) => lint(folder, 'promtool', 'check', 'rules', deploy('prometheus-rules.yaml'))],
  [
    ['systemd-analyze'],
    (folder) => {
      // The program is on this machine, but perhaps not at this path.
      const unit = text('portal@.service').replace('/usr/bin/node', process.execPath);
      return lint(folder, 'systemd-analyze', 'verify', writeCopy(folder, 'portal@8080.service', unit));
    },
  ],
  [
    ['nginx', 'openssl'],
    (folder) => {
      const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => join(folder, name));
      const subject = ['-nodes', '-subj', '/CN=portal.example', '-keyout', key, '-out', certificate];
      const made = lint(folder, 'openssl', 'req', '-x509', '-newkey', 'rsa:2048', ...subject);
      const site = text('nginx.conf')
        .replaceAll('/etc/letsencrypt/live/portal.example', folder)
        .replaceAll('/var/log/nginx', folder);
      const included = `events {}\npid ${folder}/nginx.pid;\nhttp {\n${site}}\n`;
      return [...made, ...lint(folder, 'nginx', '-t', '-q', '-c', writeCopy(folder, 'nginx.conf', included))];
    },
  ],
  [['caddy'], (folder) => lint(folder, 'caddy', 'validate', '--config', deploy('Caddyfile'), '--adapter', 'caddyfile')],
];

/** Alerts and panels of a metric that does not exist stay silent. */
function checkMetricNames() {
  const source = readFileSync(join(root, 'server/src/observability/metrics.ts'), 'utf8');
  const files = ['prometheus-rules.yaml', 'grafana-dashboard.json'];
  return files.flatMap((file) => {
    const names = new Set([...text(file).matchAll(/\bportal_([a-z_]+)/g)].map(([, name]) => name));
    const isKnown = (name) => new RegExp(`['}]${name.replace(/_(bucket|count|sum)$/, '')}['\`]`).test(source);
    const unknown = [...names].filter((name) => !isKnown(name));
    const nothing = names.size === 0 ? [`${file}: names no metric`] : [];
    return [...nothing, ...unknown.map((name) => `${file}: the portal has no metric portal_${name}`)];
  });
}

/** The same for an event that is not counted. */
function checkEventNames() {
  const source = readFileSync(join(root, 'server/src/logging/event-counts.ts'), 'utf8');
  return ['prometheus-rules.yaml', 'grafana-dashboard.json'].flatMap((file) =>
    [...text(file).matchAll(/\bevent=~?\\?"(\w+)/g)]
      .filter(([, name]) => !source.includes(`  ${name}`))
      .map(([, name]) => `${file}: the portal counts no event ${name}`),
  );
}

function checkDashboard() {
  const { panels } = JSON.parse(text('grafana-dashboard.json'));
  const ids = new Set(panels.map(({ id }) => id));
  return ids.size === panels.length ? [] : ['grafana-dashboard.json: two panels have the same id'];
}

/** Returns the findings, and the commands that ran and that are not on PATH. */
export function lintDeploy() {
  const findings = [...checkMetricNames(), ...checkEventNames(), ...checkDashboard()];
  const ran = [];
  const absent = [];
  for (const [commands, check, name = commands[0]] of linters) {
    const missing = commands.filter((command) => !isOnPath(command));
    if (missing.length > 0) {
      absent.push(...missing);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'portal-deploy-'));
    findings.push(...check(folder));
    rmSync(folder, { recursive: true });
    ran.push(name);
  }
  return { findings, ran, absent, read: readdirSync(join(root, 'deploy')).length };
}
