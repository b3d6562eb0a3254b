import { useEffect, useState } from 'react';
import { isFirstDrawing } from './page-scope.ts';
import { isInLondonZone } from './time-zone.ts';

/** True where the clocks are not those of London. The server cannot know it: a page that comes drawn is at home first. */
export function useIsAbroad(): boolean {
  const [isAbroad, setAbroad] = useState(() => !isFirstDrawing() && !isInLondonZone());
  useEffect(() => setAbroad(!isInLondonZone()), []);
  return isAbroad;
}
