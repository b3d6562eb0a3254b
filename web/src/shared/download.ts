import type { ErrorReply } from '#contract/error-reply.ts';
import { addressOf, type Params, type Query } from './address.ts';
import { ApiError } from './api-error.ts';

/** Fetches a file that only the signed-in person may have, and hands it to the browser to save under the server's name for it. */
export const download = (
  path: string,
  { params, query }: { params?: Params; query?: Query },
  fallbackName: string,
): Promise<void> => save(addressOf(path, params, query), fallbackName);

/** The same for a link that a reply carries. It leads to the server that the page came from, under whatever name it knows itself. */
export const downloadLink = (link: string, fallbackName: string): Promise<void> => {
  const { pathname, search } = new URL(link, window.location.href);
  return save(pathname + search, fallbackName);
};

async function save(address: string, fallbackName: string): Promise<void> {
  const response = await fetch(address).catch(() => {
    throw new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  });
  if (!response.ok)
    throw new ApiError(response.status, (await response.json().catch(() => ({}))) as Partial<ErrorReply>);

  saveBlob(fileName(response.headers.get('Content-Disposition')) ?? fallbackName, await response.blob());
}

/** The name in a `Content-Disposition` header; `filename*` before `filename`, as RFC 6266 has it. */
export function fileName(disposition: string | null): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
  const plain = /;\s*filename\s*=\s*(?:"([^"]+)"|([^";\s]+))/i.exec(disposition ?? '');
  try {
    if (encoded) return decodeURIComponent(encoded);
  } catch {
    // Broken escapes: the plain name, if there is one.
  }
  return plain?.[1] ?? plain?.[2];
}

function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Some browsers read the file only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Hands a file that the page itself made to the browser. */
export const saveText = (name: string, type: string, text: string): void => saveBlob(name, new Blob([text], { type }));
