import { execFile } from 'node:child_process';

/** The variables that systemd sets for a unit with `Type=notify` and `WatchdogSec`. */
export interface SystemdEnvironment {
  NOTIFY_SOCKET?: string | undefined;
  WATCHDOG_USEC?: string | undefined;
  WATCHDOG_PID?: string | undefined;
}

/** Sends a state to systemd. Rejects when it cannot be sent. */
type Notify = (state: string) => Promise<void>;

/** Node has no Unix datagram sockets, so a program of systemd sends the state. */
const runSystemdNotify: Notify = (state) =>
  new Promise((done, fail) =>
    execFile('systemd-notify', [state], { timeout: 10_000 }, (error) => (error ? fail(error) : done())),
  );

/** Several tries fit into the time after which systemd kills the process. */
const TRIES_PER_WATCHDOG_TIME = 3;

/** The time between two signs of life, in milliseconds; undefined when systemd does not watch this process. */
function readInterval({ NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID }: SystemdEnvironment): number | undefined {
  const isForOther = WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid;
  const microseconds = Number(WATCHDOG_USEC);
  return NOTIFY_SOCKET && !isForOther && microseconds > 0 ? microseconds / 1000 / TRIES_PER_WATCHDOG_TIME : undefined;
}

async function assertLive(url: string, timeoutMs: number): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  await response.body?.cancel();
}

/**
 * Reports the process to systemd as ready, and from then on as alive each time that it has answered `/v1/live` over HTTP.
 * systemd restarts a process that reports nothing. Returns a function that reports the stop. Does nothing without systemd.
 * @param url the process's own address
 * @param onError receives failures to send a state, and of `/v1/live`
 */
export function reportToSystemd(
  environment: SystemdEnvironment,
  url: string,
  onError: (error: Error) => void,
  notify: Notify = runSystemdNotify,
): () => void {
  if (!environment.NOTIFY_SOCKET) return () => undefined;
  const send = (state: string) => notify(state).catch(onError);
  void send('READY=1');
  const intervalMs = readInterval(environment);
  if (intervalMs !== undefined) {
    let isAsking = false;
    const timer = setInterval(async () => {
      if (isAsking) return;
      isAsking = true;
      try {
        await assertLive(`${url}/v1/live`, intervalMs);
        await notify('WATCHDOG=1');
      } catch (error) {
        onError(error as Error);
      } finally {
        isAsking = false;
      }
    }, intervalMs);
    timer.unref();
  }
  return () => void send('STOPPING=1');
}
