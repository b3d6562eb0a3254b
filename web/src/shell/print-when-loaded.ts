import { useEffect } from 'react';

const BUSY = '[aria-busy="true"]';
const isPrintShortcut = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === 'p' && (ctrlKey || metaKey);

/** Ctrl-P waits for what still loads: paper would show empty tables and charts. */
export function usePrintWhenLoaded(): void {
  useEffect(() => {
    let waiting: MutationObserver | undefined;
    const printOnce = () => {
      if (document.querySelector(BUSY)) return;
      waiting?.disconnect();
      waiting = undefined;
      window.print();
    };
    const onKey = (event: KeyboardEvent) => {
      if (!isPrintShortcut(event) || !document.querySelector(BUSY)) return;
      event.preventDefault();
      waiting ??= new MutationObserver(printOnce);
      waiting.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      waiting?.disconnect();
    };
  }, []);
}
