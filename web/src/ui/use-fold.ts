import { useState } from 'react';
import { getPreference, setPreference } from '../shared/preferences.ts';
import { useBrowserValue } from '../shared/use-browser-value.ts';

/** The same width as `--phone` in web/build/breakpoints.ts. */
const PHONE = '(max-width: 37.499em)';

function subscribeToWidth(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** The charts that the user folded (true) or unfolded (false), by name. */
function getFoldedCharts(): Record<string, unknown> {
  const stored = getPreference('foldedCharts');
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}

/**
 * Whether a chart is folded: as the user last left it in this browser, or else as `isFoldedOnPhone` states. Style sheets
 * fold by width, because the server does not know it.
 */
export function useFold(name: string, isFoldedOnPhone: boolean) {
  const [choice, setChoice] = useState(() => getFoldedCharts()[name]);
  const isPhone = useBrowserValue(() => window.matchMedia(PHONE).matches, false, subscribeToWidth);
  const isChosen = typeof choice === 'boolean';
  const isFolded = isChosen ? choice : isFoldedOnPhone && isPhone;
  return {
    fold: isChosen ? (choice ? 'always' : undefined) : isFoldedOnPhone ? 'on-phone' : undefined,
    isOpen: !isFolded,
    setOpen: (isOpen: boolean) => {
      setPreference('foldedCharts', { ...getFoldedCharts(), [name]: !isOpen });
      setChoice(!isOpen);
    },
  } as const;
}
