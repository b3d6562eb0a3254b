import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { testSettings } from './test-settings.ts';

/** A process of the portal, as `npm start` runs it, with the settings of a test. */
export interface PortalProcess {
  /** Everything that it has printed. */
  output(): string;
  /** Resolves when the output contains a text. Throws with the output if the process ends before. */
  waitFor(text: string): Promise<void>;
  /** The exit code; null after SIGKILL. */
  ended: Promise<number | null>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts the portal on a port that the system chooses, without the demonstration. */
export function startPortal(settings: Record<string, string>): PortalProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DEMO: 'off',
      ...testSettings,
      ...settings,
    },
  });
  let printed = '';
  let check = () => undefined as void;
  const add = (text: Buffer) => {
    printed += String(text);
    check();
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return {
    output: () => printed,
    ended,
    kill: (signal) => child.kill(signal),
    waitFor: (text) =>
      new Promise((done, fail) => {
        check = () => {
          if (printed.includes(text)) done();
        };
        check();
        void ended.then((code) => fail(new Error(`The portal ended with ${code}:\n${printed}`)));
      }),
  };
}

/** Runs a command of the portal, such as `backup.ts`, to its end. */
export async function runCommand(
  command: string,
  words: readonly string[],
  environment: Record<string, string>,
  folder: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../commands', command), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)));
  const code = await new Promise<number>((done) => child.once('close', done));
  return { code, ...output };
}
