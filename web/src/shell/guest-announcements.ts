import { announce, getAnnouncements, onAnnouncements } from '../shared/announcements.ts';

/** Says the announcements in the status region that the server has rendered, as `StatusRegion` does in the app. */
export function sayAnnouncements(): void {
  onAnnouncements(() => {
    const lines = getAnnouncements().map(({ text }) =>
      Object.assign(document.createElement('p'), { className: 'visually-hidden', textContent: text }),
    );
    document.querySelector('[role="status"]')!.replaceChildren(...lines);
  });
}

/** Announces why the visitor is on this page, or what their form has done. */
export function announceOutcomes(): void {
  for (const { textContent } of document.querySelectorAll('main [data-outcome]')) announce(textContent);
}
