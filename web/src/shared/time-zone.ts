import { useBrowserValue } from './use-browser-value.ts';

/** True in London's time zone. */
export const isInLondonZone = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone): boolean =>
  // Older names of the zone, which not every browser resolves.
  /^(Europe\/(London|Belfast|Jersey|Guernsey|Isle_of_Man)|GB|GB-Eire)$/.test(zone);

/** True outside the United Kingdom's time zone. False while the page hydrates. */
export const useIsOutsideUk = (): boolean => useBrowserValue(() => !isInLondonZone(), false);
