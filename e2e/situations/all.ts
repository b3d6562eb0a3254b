import { blockedStorage } from './blocked-storage.ts';
import { focusStops } from './focus-stops.ts';
import { forcedColours } from './forced-colours.ts';
import { largeText } from './large-text.ts';
import { liveRegions } from './live-regions.ts';
import { lowWindow } from './low-window.ts';
import { print } from './print.ts';
import { reducedMotion } from './reduced-motion.ts';
import type { Situation } from './situation.ts';
import { touch } from './touch.ts';
import { withoutScript } from './without-script.ts';

/** The situations of people that the portal is checked in. */
export const situations: readonly Situation[] = [
  focusStops,
  lowWindow,
  forcedColours,
  withoutScript,
  blockedStorage,
  touch,
  largeText,
  reducedMotion,
  liveRegions,
  print,
];
