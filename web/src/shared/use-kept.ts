import { useEffect, useState } from 'react';
import { isFirstDrawing } from './page-scope.ts';

/**
 * What this browser keeps. A page that comes drawn was drawn without it: there it is null at first, for React throws
 * away a drawing that is not its own.
 * @param read finds it, or null; the same function each time
 */
export function useKept<Kept>(read: () => Kept | null): [kept: Kept | null, setKept: (kept: Kept | null) => void] {
  const [isLate] = useState(isFirstDrawing);
  const [kept, setKept] = useState(() => (isLate ? null : read()));
  useEffect(() => {
    if (isLate) setKept(read());
  }, [isLate, read]);
  return [kept, setKept];
}
