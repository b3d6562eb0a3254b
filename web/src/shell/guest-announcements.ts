import { announce, getAnnouncements, onAnnouncements } from '../shared/announcements.ts';

/** Puts the announcements into the status region that the server has rendered, as `StatusRegion` does in the app. */
export function showAnnouncements(): void {
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
