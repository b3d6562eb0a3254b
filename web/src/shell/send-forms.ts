/** A path of the portal, or the page again. */
type Answer = { to: string } | { page: Document };

/** What each new content of the page needs. */
let prepare = (): void => {};
/** Leaving the page needs no question any more, and going back to it must load it again. */
let isLeaving = false;
let hasTyped = false;

/** Sends a form of the page. Throws when the server cannot be reached. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<Answer> {
  const response = await fetch(form.getAttribute('action') ?? location.href, {
    method: 'POST',
    headers: { accept: 'application/json, text/html' },
    body: new URLSearchParams(new FormData(form, submitter) as never),
  });
  if (response.redirected) return { to: response.url };
  // A page that leads on by itself, to another site.
  const onward = /url=(.+)$/.exec(response.headers.get('refresh') ?? '')?.[1];
  if (onward && response.ok) return { to: onward };
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // The page of a server or proxy that fails has no form with what was typed.
    if (page.documentElement.dataset.document === undefined) throw new Error('The server has not answered the form.');
    return { page };
  }
  const { to } = (await response.json()) as { to?: unknown };
  if (typeof to !== 'string') throw new Error('The server has answered neither a page nor an address.');
  return { to };
}

const passwordsIn = (place: ParentNode) => place.querySelectorAll<HTMLInputElement>('[autocomplete$="-password"]');

/** Shows the page that the server has answered. Passwords stay, which no page contains. */
function show(page: Document): void {
  const typed = new Map([...passwordsIn(document)].map(({ id, value }) => [id, value]));
  // A newer build answers with other styles than this page has loaded.
  const style = page.querySelector('link[rel="stylesheet"]');
  if (style && !document.querySelector(`link[href="${style.getAttribute('href')}"]`)) document.head.append(style);
  const main = document.querySelector('main')!;
  main.replaceChildren(...page.querySelector('main')!.childNodes);
  document.title = page.title;
  for (const field of passwordsIn(main)) {
    field.value = typed.get(field.id) ?? '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  prepare();
  hasTyped &&= main.querySelector('[data-unsaved]') !== null;
  (main.querySelector<HTMLElement>('form > [role="alert"]') ?? main.querySelector('h1'))?.focus();
}

/** Shows an error above the form: by default, that the server cannot be reached. */
export function showProblem(form: HTMLFormElement, text?: string): void {
  form.querySelector(':scope > [role="alert"]')?.remove();
  const template = form.querySelector('template')!;
  template.before(template.content.cloneNode(true));
  const summary = form.querySelector<HTMLElement>('[role="alert"]')!;
  if (text !== undefined) {
    const item = document.createElement('li');
    item.textContent = text;
    summary.querySelector('ul')!.replaceChildren(item);
  }
  summary.focus();
}

/** Sends a form and shows the answer. A second press meanwhile does nothing. */
export async function sendForm(form: HTMLFormElement, submitter: HTMLElement | null = null): Promise<void> {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  try {
    const answer = await send(form, submitter);
    if ('page' in answer) return show(answer.page);
    isLeaving = true;
    location.replace(answer.to);
  } catch {
    showProblem(form);
  } finally {
    if (!isLeaving) form.ariaBusy = null;
  }
}

/**
 * Sends the page's forms without leaving it, so that what was typed is not lost when the server cannot be reached.
 * @param prepareContent runs now, and for each page that the server answers
 */
export function sendForms(prepareContent: () => void): void {
  prepare = prepareContent;
  prepare();
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== 'post' || !form.querySelector(':scope > template')) return;
    event.preventDefault();
    void sendForm(form, event.submitter);
  });
  document.addEventListener('input', ({ target }) => {
    if ((target as Element).closest('[data-unsaved]')) hasTyped = true;
  });
  addEventListener('beforeunload', (event) => {
    if (hasTyped && !isLeaving) event.preventDefault();
  });
  // The browser restores the page as it was left: with a password, for someone who has logged in since.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload();
  });
}
