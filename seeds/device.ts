import type { BodyInputOf, Call, ReplyOf } from '#contract/call.ts';
import type { ErrorReply } from '#contract/error-reply.ts';

/** Clock, network and pauses of a simulation; tests provide their own. */
export interface SimulationEnvironment {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; ends at once when the signal is given. Never throws. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The server returned an error. */
export class ServerError extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** No server responded. */
export class NoServer extends Error {}

interface Sending {
  url: string;
  token?: string;
  signal: AbortSignal;
  /** The time after which to stop retrying. */
  until: number;
}

/** The maximum backoff between retries, in seconds. */
const LONGEST_PAUSE = 8;

/**
 * Makes a call as a device does: waits on 429 and 503, and retries when no server responds. Throws `ServerError` for any
 * other error or when time is up, and `NoServer` if there was no response.
 */
export async function send<C extends Call>(
  world: SimulationEnvironment,
  call: C,
  body: BodyInputOf<C> | undefined,
  sending: Sending,
): Promise<ReplyOf<C>> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt(world, call, body, sending);
    if ('reply' in answer) return answer.reply as ReplyOf<C>;
    const seconds = answer.retryAfter ?? Math.min(LONGEST_PAUSE, 2 ** tries / 2);
    if (sending.signal.aborted || world.now() + seconds * 1000 > sending.until) throw answer.failure;
    await world.pause(seconds * 1000, sending.signal);
    if (sending.signal.aborted) throw answer.failure;
  }
}

async function attempt(
  world: SimulationEnvironment,
  call: Call,
  body: unknown,
  { url, token }: Sending,
): Promise<{ reply: unknown } | { failure: Error; retryAfter: number | undefined }> {
  let response: Response;
  let text: string;
  try {
    response = await world.fetch(`${url}/v1${call.path}`, {
      method: call.method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    return { failure: new NoServer('Nothing answers.', { cause: error }), retryAfter: undefined };
  }
  if (response.ok) return { reply: JSON.parse(text) };
  const serverError = new ServerError(response.status, errorText(text) ?? response.statusText);
  if (response.status !== 429 && response.status !== 503) throw serverError;
  return { failure: serverError, retryAfter: Number(response.headers.get('retry-after')) || undefined };
}

function errorText(text: string): string | undefined {
  try {
    return (JSON.parse(text) as Partial<ErrorReply>).error;
  } catch {
    return undefined;
  }
}
