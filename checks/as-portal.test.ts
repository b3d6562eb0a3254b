import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'as-portal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const settings = join(folder, 'portal.env');
const script = join(folder, 'as-portal');
const source = readFileSync(join(import.meta.dirname, '../deploy/as-portal'), 'utf8');
// With other paths, and without the change of user, which needs root.
const changed = source
  .replaceAll('/etc/portal.env', settings)
  .replaceAll('/srv/portal', folder)
  .replace('exec setpriv --reuid portal --regid portal --init-groups "$@"', 'exec "$@"');

/** The variables that a command sees, or the message of the script when it fails. */
function readSettings(text: string): Record<string, string> | string {
  writeFileSync(settings, text);
  writeFileSync(script, changed);
  const { status, stdout, stderr } = spawnSync('sh', [script, 'env', '-0'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MARK: 'from the shell' },
  });
  if (status !== 0) return stderr;
  const variables = stdout.split('\0').map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return Object.fromEntries(variables.filter(([name = '']) => /^[A-Z]$|^(SELLER_NAME|STAGE|MARK)$/.test(name)));
}

const ALWAYS = { STAGE: 'production', MARK: 'from the shell' };

test('the changed copy of deploy/as-portal differs from the original in paths and the user alone', () => {
  expect(changed).not.toContain('setpriv');
  expect(changed).not.toContain('/srv/portal');
});

// As systemd reads an EnvironmentFile: systemd.exec(5).
test.each<[text: string, values: Record<string, string>]>([
  ['SELLER_NAME="Pa$$word Ltd"\n', { SELLER_NAME: 'Pa$$word Ltd' }],
  ["SELLER_NAME='Pa$$word Ltd'\n", { SELLER_NAME: 'Pa$$word Ltd' }],
  ['SELLER_NAME=Pa$$word Ltd\n', { SELLER_NAME: 'Pa$$word Ltd' }],
  ['A=$(id)`id`$HOME${HOME}\n', { A: '$(id)`id`$HOME${HOME}' }],
  ['A="$(id)`id`"\n', { A: '$(id)`id`' }],
  ['A=one;two & three | four > /dev/null\n', { A: 'one;two & three | four > /dev/null' }],
  ['A=postgres://portal:x=y#z@127.0.0.1/portal?a=b\n', { A: 'postgres://portal:x=y#z@127.0.0.1/portal?a=b' }],
  ['A=a # no comment\n# a comment\n; another\n  # and another\nB=b\n', { A: 'a # no comment', B: 'b' }],
  ['A=\nB=""\nC=\'\'\n', { A: '', B: '', C: '' }],
  ['A=  a  b  \n  B = b\n', { A: 'a  b', B: 'b' }],
  ['A="  a  "\n', { A: '  a  ' }],
  ['A=a\\ \n', { A: 'a ' }],
  [
    'A=it\\\'s\nB="it\'s"\nC=say \\"hi\\"\nD="say \\"hi\\""\nE=\'say "hi"\'\n',
    {
      A: "it's",
      B: "it's",
      C: 'say "hi"',
      D: 'say "hi"',
      E: 'say "hi"',
    },
  ],
  ['A=a\\\\b\nB="a\\\\b\\n"\nC=\'a\\b\'\nD="\\$x"\n', { A: 'a\\b', B: 'a\\b\\n', C: 'a\\b', D: '$x' }],
  ['A=one \\\ntwo\nB="one \\\ntwo"\n', { A: 'one two', B: 'one two' }],
  ['A="two\nlines"\n', { A: 'two\nlines' }],
  ['A="a" b\'c\'\n', { A: "ab'c'" }],
  ['A=a\r\nB="b"\r\n\r\nC=c', { A: 'a', B: 'b', C: 'c' }],
  ['A=first\nA=last\n', { A: 'last' }],
  ['STAGE=staging\nMARK=from the file\n', { STAGE: 'staging', MARK: 'from the file' }],
  ['not a setting\nexport A=a\nB=b\n', { B: 'b' }],
  [`A='[{"id":"trust","name":"Zoë’s trust"}]'\n`, { A: '[{"id":"trust","name":"Zoë’s trust"}]' }],
  ['', {}],
])('deploy/as-portal reads %j as %j', (text, values) => {
  expect(readSettings(text)).toEqual({ ...ALWAYS, ...values });
});

test.each([
  ['A="open\nB=b\n', 'a quotation mark is not closed'],
  ["A=a\nB='open\n", 'a quotation mark is not closed'],
  ['# a comment \\\nA=a\n', 'a comment ends with a backslash'],
])('deploy/as-portal runs no command with %j', (text, message) => {
  expect(readSettings(text)).toContain(message);
});

test('deploy/as-portal runs no command without a file of settings', () => {
  rmSync(settings, { force: true });
  const { status, stdout } = spawnSync('sh', [script, 'echo', 'ran'], { encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stdout).toBe('');
});

test('deploy/as-portal passes arguments on as they are', () => {
  writeFileSync(settings, 'A=a\n');
  expect(spawnSync('sh', [script, 'printf', '%s|', 'two words', '$A', '*'], { encoding: 'utf8' }).stdout).toBe(
    'two words|$A|*|',
  );
});

/** The commands of a step of docs/running.md. */
function readStep(heading: string): string {
  const page = readFileSync(join(import.meta.dirname, '../docs/running.md'), 'utf8');
  const [, step = ''] = page.split(`### ${heading}\n`);
  return /```sh\n([^]*?)```/.exec(step)?.[1] ?? '';
}

test('the settings that docs/running.md writes are read as they were written', () => {
  const commands = readStep('5. Settings')
    .replaceAll('/etc/portal', join(folder, 'portal'))
    .replace(/^cd \/srv\/portal.*$/m, '');
  const { status, stderr } = spawnSync('sh', ['-eu', '-c', commands], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PASSWORD: '9f2c41d07be35a68' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { stdout } = spawnSync('sh', [script, 'env'], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stdout).toContain('\nDATABASE_URL=postgres://portal:9f2c41d07be35a68@127.0.0.1:5432/portal\n');
  expect(stdout).toMatch(/^SECRETS_KEY=[\w+/=]{44}$/m);
  expect(stdout).toMatch(/^SELLER_ADDRESS=.+;.+$/m);
});
