import type { ErrorReply } from '#contract/error-reply.ts';
import { announce } from './announcements.ts';
import { withProof } from './proof.ts';
import { urlOf, type Params, type Query } from './url.ts';
import { ApiError, readRetryAfter } from './api-error.ts';
import { withBusyRetry } from './busy.ts';
import { withLogin } from './ended-session.ts';
import { inSchoolOfPage, namePageSchool } from './switched-school.ts';

/** Downloads a file that needs the user's session, under the name that the server gives it. */
export const download = (
  path: string,
  { params, query }: { params?: Params; query?: Query },
  fallbackName: string,
): Promise<void> => save(urlOf(path, params, query), fallbackName);

/** The same for a link in a reply. It is fetched from the page's own origin, whatever host the link names. */
export const downloadLink = (link: string, fallbackName: string): Promise<void> => {
  const { pathname, search } = new URL(link, window.location.href);
  return save(pathname + search, fallbackName);
};

const save = (url: string, fallbackName: string): Promise<void> =>
  withLogin(() => inSchoolOfPage(() => withProof(() => withBusyRetry(() => fetchAndSave(url, fallbackName))), true), {
    isAction: true,
  });

async function fetchAndSave(url: string, fallbackName: string): Promise<void> {
  const response = await fetch(url, { headers: namePageSchool() }).catch(() => {
    throw new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  });
  if (!response.ok) {
    const reply = (await response.json().catch(() => ({}))) as Partial<ErrorReply>;
    throw new ApiError(response.status, reply, readRetryAfter(response));
  }

  saveBlob(fileName(response.headers.get('Content-Disposition')) ?? fallbackName, await response.blob());
}

/** The file name in a `Content-Disposition` header. `filename*` takes precedence over `filename`, as in RFC 6266. */
export function fileName(disposition: string | null): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
  const plain = /;\s*filename\s*=\s*(?:"([^"]+)"|([^";\s]+))/i.exec(disposition ?? '');
  try {
    if (encoded) return decodeURIComponent(encoded);
  } catch {
    // Falls back to the plain name if the escapes are invalid.
  }
  return plain?.[1] ?? plain?.[2];
}

function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  announce(`Downloaded ${name}`);
  // Some browsers read the file only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves a file that the page made itself. */
export const saveText = (name: string, type: string, text: string): void => saveBlob(name, new Blob([text], { type }));
