import type { Page } from '@playwright/test';

interface Shift {
  value: number;
  moved: string[];
}
type ShiftWindow = typeof window & { shifts: Shift[] };

/** Records layout shifts without input. Runs in the browser. */
export function recordShifts(): void {
  interface LayoutShift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  }
  const shifts: Shift[] = [];
  (window as ShiftWindow).shifts = shifts;
  const place = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[])
      if (!hadRecentInput)
        shifts.push({
          value,
          moved: sources.map(({ node, previousRect, currentRect }) => {
            const text = node?.textContent?.trim().slice(0, 40) ?? '';
            return `${node?.nodeName} “${text}” from ${place(previousRect)} to ${place(currentRect)}`;
          }),
        });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The layout shifts of the page since its start. */
export const readShifts = (page: Page): Promise<Shift[]> => page.evaluate(() => (window as ShiftWindow).shifts);
