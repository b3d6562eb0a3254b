import { join } from 'node:path';
import { freePort, makeFolder, Program, ROOT } from './program.ts';
import type { Statement } from './statements.ts';

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  /** Processor time used, in milliseconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );

/** The portal in a process that can be ended and started again, as the unit of systemd starts it. */
export class Portal implements ServerProcess {
  readonly url: string;
  readonly #options: { cwd: string; env: Record<string, string>; log: string | undefined };
  #program: Program | undefined;

  /**
   * @param root the work tree that has the code
   * @param log the file that receives its output
   */
  constructor(
    port: number,
    settings: Record<string, string>,
    { root = ROOT, log }: { root?: string; log?: string } = {},
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.#options = {
      cwd: root,
      log,
      env: {
        NODE_ENV: 'production',
        NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '',
        SECRETS_KEY: 'a-key-of-this-bench-alone-0123456789',
        PORT: String(port),
        PUBLIC_URL: this.url,
        ...settings,
      },
    };
  }

  /** Starts it and waits until it is healthy. */
  async start(): Promise<this> {
    const words = [join(this.#options.cwd, 'server/start.mjs')];
    this.#program = new Program(`The portal at ${this.url}`, process.execPath, words, this.#options);
    await this.#program.waitUntilReady(() => isHealthy(`${this.url}/v1/health`));
    return this;
  }

  processorTime = (): number => this.#program?.processorTime() ?? 0;

  kill(signal: NodeJS.Signals): void {
    this.#program?.kill(signal);
  }

  waitForEnd = async (): Promise<void> => this.#program?.waitForEnd();

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.kill(signal);
    await this.waitForEnd();
  }

  async restart(): Promise<void> {
    await this.stop('SIGKILL');
    await this.start();
  }
}

/**
 * The portal as in production, which trusts `X-Forwarded-For` from this machine.
 * @param settings additional environment variables
 */
export const servePortal = async (databaseUrl: string, settings: Record<string, string> = {}): Promise<Portal> =>
  new Portal(await freePort(), {
    DATABASE_URL: databaseUrl,
    DATA_DIR: makeFolder(),
    DRAIN_SECONDS: '0',
    TRUST_PROXY: '127.0.0.1',
    ...settings,
  }).start();

/** The baseline: a Fastify route that answers `/N` with the rows of statement N, and does nothing else. */
export async function serveBare(databaseUrl: string, statements: readonly Statement[]): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { NODE_ENV: 'production', STATEMENTS: JSON.stringify(statements) };
  const program = new Program('The bare route', process.execPath, [join(ROOT, 'bench/harness/bare-route.ts')], {
    env: { ...env, PORT: String(port), DATABASE_URL: databaseUrl },
  });
  await program.waitUntilReady(() => isHealthy(`${url}/health`));
  return {
    url,
    processorTime: () => program.processorTime(),
    async stop() {
      program.kill('SIGTERM');
      await program.waitForEnd();
    },
  };
}
