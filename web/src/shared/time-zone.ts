import { useBrowserValue } from './use-browser-value.ts';

/** True where the clocks are those of London. */
export const isInLondonZone = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone): boolean =>
  // Older names of the same clock; browsers differ in whether they resolve them.
  /^(Europe\/(London|Belfast|Jersey|Guernsey|Isle_of_Man)|GB|GB-Eire)$/.test(zone);

/** True outside the United Kingdom's time zone. False while the page hydrates. */
export const useIsAbroad = (): boolean => useBrowserValue(() => !isInLondonZone(), false);
