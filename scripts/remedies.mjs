// Failures of npm, Vite and the file system as sentences that tell the user what to do.
import { onStop, root, run, SetupError } from './setup.mjs';

const REMEDIES = [
  [/ENOSPC/, "The disk is full. Free at least 1 GB, also for npm's cache (npm config get cache), and start again."],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    'A file or folder cannot be written: its path is above. If it belongs to another user, as after sudo, run:\n' +
      `  sudo chown -R "$(id -u)" ${JSON.stringify(root)} "$(npm config get cache)"`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH|EIDLETIMEOUT|_CERT/,
    'npm cannot reach its registry. Check the network connection, and the address and proxy that npm uses:\n' +
      '  npm config get registry\n  npm config get proxy\n  npm ping',
  ],
  [
    /\b(E401|E403|ENEEDAUTH)\b/,
    'The npm registry rejected the request. Check the address and the login that npm uses: npm config get registry',
  ],
  [/\bEINTEGRITY\b/, 'A downloaded package differs from package-lock.json. Run npm cache verify and start again.'],
  [
    /package-lock\.json.* are in sync/,
    'package.json and package-lock.json differ. Restore both (git checkout package.json package-lock.json) or run npm install.',
  ],
  [
    /\b(ETARGET|E404)\b/,
    'The npm registry lacks a package of package-lock.json. Check which registry npm uses: npm config get registry',
  ],
];

/** The sentence about the cause that the errors of a command show. */
export const findRemedy = (output) => REMEDIES.find(([pattern]) => pattern.test(output))?.[1];

/** Converts an error of the file system into a sentence with a remedy. */
export function explainFileError(error) {
  const remedy = findRemedy(error.code ?? '');
  return remedy ? new SetupError(`${error.message}\n${remedy}`) : error;
}

/** Runs a command without its output but with its errors, and throws a SetupError with a remedy when it fails. */
export async function runOrExplain(title, command, args, { onStart, ...options }) {
  let output = '';
  let child;
  let isStopped = false;
  const stopListening = onStop((signal) => {
    isStopped = true;
    child?.kill(signal);
  });
  const start = (started) => {
    child = started;
    onStart?.(child);
    child.stderr.on('data', (text) => {
      output += text;
      process.stderr.write(text);
    });
  };
  try {
    const code = await run(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], onStart: start });
    if (isStopped) throw new SetupError('Interrupted. The next start continues.');
    if (code !== 0)
      throw new SetupError([`${title} failed: see the output above.`, findRemedy(output)].filter(Boolean).join('\n'));
  } finally {
    stopListening();
  }
}
