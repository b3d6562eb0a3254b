import { expect, type Page } from '@playwright/test';

/** Runs in the page before its scripts. Reports each text that a screen reader reads from a live region. */
function observeLiveRegions(): void {
  const REGIONS = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"], output';
  const { report } = window as unknown as { report: (text: string) => void };

  const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;

  const readText = (node: Node): string => {
    if (isElement(node) && node.matches('[aria-hidden="true"], [hidden]')) return '';
    return node.hasChildNodes() ? [...node.childNodes].map(readText).join(' ') : (node.nodeValue ?? '');
  };

  const isAtomic = (region: Element): boolean =>
    region.getAttribute('aria-atomic') === 'true' ||
    (region.matches('[role="status"], [role="alert"], output') && region.getAttribute('aria-atomic') !== 'false');

  /** A modal dialog disables everything outside. */
  const isReachable = (region: Element): boolean =>
    region.checkVisibility() && ([...document.querySelectorAll('dialog:modal')].at(-1)?.contains(region) ?? true);

  new MutationObserver((records) => {
    // The parser adds the regions of the page one after another.
    if (document.readyState === 'loading') return;
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const isNew = (region: Element) => added.some((node) => node.contains(region));
    const heard = new Set<Node>();
    for (const { type, target, addedNodes } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const region = node.parentElement?.closest(REGIONS);
        if (node.isConnected && region && !isNew(region) && isReachable(region))
          heard.add(isAtomic(region) ? region : node);
        // Browsers announce an alert when it appears. Other regions must be there before their text.
        if (!isElement(node) || !node.isConnected) continue;
        for (const alert of [node, ...node.querySelectorAll('*')])
          if (alert.matches('[role="alert"]') && isReachable(alert)) heard.add(alert);
      }
    for (const text of [...heard].map((node) => readText(node).replaceAll(/\s+/g, ' ').trim())) if (text) report(text);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** Records what screen readers read from live regions, on this page and those that follow. Call it before the page loads. */
export async function recordAnnouncements(page: Page): Promise<string[]> {
  const announcements: string[] = [];
  await page.exposeFunction('report', (text: string) => announcements.push(text));
  await page.addInitScript(observeLiveRegions);
  return announcements;
}

/** Waits until the text has been announced, as the newest. */
export const expectAnnounced = (announcements: readonly string[], text: string | RegExp): Promise<void> =>
  expect.poll(() => announcements.at(-1) ?? '').toMatch(typeof text === 'string' ? exactly(text) : text);

const exactly = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
