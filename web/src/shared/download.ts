import type { ErrorReply } from '#contract/errors.ts';
import { addressOf, type Params, type Query } from './address.ts';
import { ApiError } from './api-error.ts';
import { getSession } from './session.ts';

/** Fetches a file that only the signed-in person may have, and hands it to the browser to save under the server's name for it. */
export async function download(
  path: string,
  { params, query }: { params?: Params; query?: Query },
  fallbackName: string,
): Promise<void> {
  const token = getSession()?.token;
  const response = await fetch(addressOf(path, params, query), {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  }).catch(() => {
    throw new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  });
  if (!response.ok)
    throw new ApiError(response.status, (await response.json().catch(() => ({}))) as Partial<ErrorReply>);

  const name = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? fallbackName;
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Some browsers read the file only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
