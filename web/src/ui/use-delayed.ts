import { useEffect, useState } from 'react';

/** True once `flag` has been true for a while, so that quick changes show no loading state. */
export function useDelayed(flag: boolean, afterMs = 200): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!flag) return;
    const timer = setTimeout(() => setLong(true), afterMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [flag, afterMs]);
  return flag && isLong;
}
