import { useId as useReactId } from 'react';

/**
 * Replaces Mantine's own (`web/build/mantine-id.ts`), which gives each field another ID once it has mounted: a
 * server-rendered page would render all its fields again, in one piece.
 */
export function useId(given?: string): string {
  const id = useReactId();
  return given ?? `mantine-${id.replaceAll(':', '')}`;
}
