import { onTestFinished, vi } from 'vitest';

/** Makes the browser report a time zone until the test is over. */
export function setTimeZone(timeZone: string): void {
  const options = Intl.DateTimeFormat().resolvedOptions();
  const report = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
  onTestFinished(() => report.mockRestore());
}
