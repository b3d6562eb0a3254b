/** Shows what works without scripts: a script of the page did not load or start. */
export function showWithoutScript(): void {
  delete document.documentElement.dataset.script;
  window.earlyInput?.stop();
}

/** Until the signal, a script of the portal that does not load or throws ends the page's scripts. Errors of browser extensions do not count. */
export function watchScripts(signal?: AbortSignal): void {
  const isOurs = (url: string) => url.startsWith(`${location.origin}/assets/`);
  window.addEventListener(
    'error',
    (event: Event) => {
      const url =
        event instanceof ErrorEvent
          ? event.filename
          : event.target instanceof HTMLScriptElement
            ? event.target.src
            : '';
      if (isOurs(url)) showWithoutScript();
    },
    { capture: true, ...(signal && { signal }) },
  );
}
